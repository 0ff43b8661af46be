"""Text that only the scripts of a page would show is read from their state."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scythe

SENTENCE = "They cut the barley at dawn, rested at noon, and went on until dark."
SENTENCES = [f"On day {number} {SENTENCE}" for number in range(8)]
BODY = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
TEASERS = [
    {"title": f"Story {number}", "url": f"/{number}", "text": f"{SENTENCE} {number}"}
    for number in range(40)
]
WORDS = {"cookieNotice": SENTENCE * 60, "labels": {"more": "Read more", "next": "Next"}}
STATE = {
    "props": {"page": {"title": "Barley", "body": BODY}, "more": TEASERS, "t": WORDS}
}
PARAGRAPHS = [{"type": "p", "children": [{"text": text}]} for text in SENTENCES]
BLOCKS = {"content": PARAGRAPHS}


def page(script: str) -> str:
    return (
        f"<title>Barley</title><div id=app></div>{script}<script src=/app.js></script>"
    )


def as_json(value: Any) -> str:
    return json.dumps(value).replace("</", "<\\/")


@pytest.mark.parametrize(
    "script",
    [
        f"<script id=__NEXT_DATA__ type=application/json>{as_json(STATE)}</script>",
        f"<script>window.__INITIAL_STATE__ = {as_json(STATE)};</script>",
        f"<script>window['__APOLLO_STATE__']={as_json(STATE)};(function(){{}})()</script>",
        f"<script>var state = JSON.parse({as_json(as_json(STATE))})</script>",
        f"<script>window.__NUXT__=(function(a,b){{return {as_json(STATE)}}}('x',1))</script>",
        f"<script>self.__next_f.push([1,{as_json('5:' + as_json(STATE))}])</script>",
        f"<script type=application/json>{as_json(BLOCKS)}</script>",
        f"<script type=application/json>{as_json(BLOCKS)[:-20]}</script>",
    ],
)
def test_the_longest_prose_of_the_state_is_the_content(script: str) -> None:
    document = scythe.extract(page(script))
    assert document.status == scythe.Status.EMBEDDED
    lines = document.text.split("\n")
    assert lines[:7] == SENTENCES[:7]
    assert len(lines) <= 8


@pytest.mark.parametrize(
    "state",
    [
        {"cookieNotice": SENTENCE * 60},
        {"items": TEASERS},
        {"content": [{"text": SENTENCE}] * 20},
        {"text": "a1b2c3d4e5" * 200},
        {"content": "function(a) { return a; } " * 60},
        {"html": "<div></div>" * 100},
    ],
)
def test_what_is_no_content_leaves_a_shell(state: dict[str, Any]) -> None:
    script = f"<script>window.__STATE__ = {as_json(state)}</script>"
    assert scythe.extract(page(script)).status == scythe.Status.SHELL


def test_visible_content_wins() -> None:
    story = "<p>Other words stand in the page itself, and are what its readers see.</p>"
    script = f"<script>window.__STATE__ = {as_json(STATE)}</script>"
    document = scythe.extract(f"<main>{story * 30}</main>{script}")
    assert document.status == scythe.Status.OK
    assert SENTENCE not in document.text


@given(st.text(max_size=300))
def test_any_script_gives_a_result(text: str) -> None:
    assert scythe.extract(page(f"<script>a = {{{text}</script>")).status
