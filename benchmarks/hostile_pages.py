"""Pages that are made to hold up or to break a parser."""

from __future__ import annotations

HOSTILE = {
    "text before a table": "<table>" + "a<tr>" * 20_000,
    "sections": "<svg>" + "<![CDATA[x]]>" * 20_000,
    "references": "&a" * 50_000,
    "quotes": "<a b='" * 20_000,
    "comments": "<!--" * 20_000,
    "escaped scripts": "<script>" + "<!--<script>" * 20_000,
    "end tags in titles": "<title>" + "</titl" * 20_000,
    "attributes": "<p " + " ".join(f"a{number}" for number in range(50_000)),
    "attributes of html": "".join(f"<html a{number}>" for number in range(10_000)),
    "misnested": "<b><p>x</b>" * 20_000,
    "names": "".join(f"<x{number}></x{number}>" for number in range(70_000)),
}
"""Pages that the compiled core parses itself."""

BOUNDED = {
    "deep": "<div>" * 100_000 + "x",
    "formatting never closed": "<b><i><u><a href=x><p>" * 4_000,
    "different formatting": "".join(
        f"<div><b a{number}></div>" for number in range(3_000)
    ),
    "tags alone": "<" * 1_000_000,
    "tables in tables": "<table><tr><td>" * 30_000,
    "lists never closed": "<ul><li>x" * 30_000,
    "one long word": "x" * 5_000_000,
    "many short paragraphs": "<p>a b" * 200_000,
    "nul": "\x00<p>a\x00b\x00" * 100_000,
}
"""Pages that a parser must bound, or leave to another that does."""
