"""The calls of trafilatura, answered by Scythe: `from scythe.compat import trafilatura`.

Parameters have trafilatura's names and defaults. Those without a meaning here (`fast`,
`no_fallback`, `deduplicate`, `tei_validation`) change nothing, since nothing here is
slow, falls back or is said twice; those that would silently be wrong (`prune_xpath`,
`config`, `options`, `settingsfile`, `date_extraction_params`) are refused.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypedDict, Unpack
from urllib.parse import urlsplit

from scythe.content.document import Document
from scythe.content.extract import extract as extract_document
from scythe.content.metadata import read_metadata
from scythe.content.options import CommentChoice, ExtractOptions, Focus
from scythe.content.selection import Selection
from scythe.errors import FetchError, UsageError
from scythe.sources.fetching import fetch
from scythe.tree import Limits, Tree, parse
from scythe.tree.encoding import page_text
from scythe.tree.tags import code
from scythe.tree.text import plain_text
from scythe.tree.visibility import visible

OutputFormat = Literal["txt", "markdown", "html", "json", "xml", "xmltei", "csv"]
_REFUSED = (
    "prune_xpath",
    "config",
    "options",
    "settingsfile",
    "date_extraction_params",
)
_COLUMNS = "source id hostname title image date text license pagetype".split()
_TABLE = code("table")


class Switches(TypedDict, total=False):
    """The parameters that trafilatura's functions share."""

    fast: bool
    no_fallback: bool
    favor_precision: bool
    favor_recall: bool
    include_comments: bool
    output_format: OutputFormat
    tei_validation: bool
    target_language: str | None
    include_tables: bool
    include_images: bool
    include_formatting: bool | None
    include_links: bool
    deduplicate: bool
    date_extraction_params: Mapping[str, Any] | None
    with_metadata: bool
    only_with_metadata: bool
    max_tree_size: int | None
    url_blacklist: set[str] | None
    author_blacklist: set[str] | None
    settingsfile: str | None
    prune_xpath: str | list[str] | None
    config: Any
    options: Any


@dataclass(frozen=True, slots=True)
class BareDocument:
    """What `bare_extraction` gives: the fields of trafilatura's documents that Scythe
    has.
    """

    title: str | None
    author: str | None
    url: str | None
    hostname: str | None
    description: str | None
    sitename: str | None
    date: str | None
    language: str | None
    image: str | None
    pagetype: str | None
    text: str
    id: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain data."""
        return asdict(self)


def extract(
    filecontent: bytes | str,
    url: str | None = None,
    record_id: str | None = None,
    **switches: Unpack[Switches],
) -> str | None:
    """Return the content of a page in the format asked for; None where there is none."""
    document = _document(filecontent, url, switches)
    if document is None:
        return None
    output_format = switches.get("output_format", "txt")
    if output_format == "txt" and switches.get("include_formatting"):
        output_format = "markdown"
    with_metadata = switches.get("with_metadata", False)
    match output_format:
        case "txt":
            front_matter = f"{document.front_matter}\n" if with_metadata else ""
            return front_matter + document.text
        case "markdown":
            return document.markdown
        case "html":
            return document.html
        case "xml":
            return document.xml
        case "xmltei":
            return document.tei
        case "json":
            return _json(document, record_id, switches)
        case "csv":
            return _csv_row(document, record_id, switches)
    raise UsageError(
        f"There is no output format {output_format!r}. "
        "Choose one of: txt, markdown, html, json, xml, xmltei, csv."
    )


def bare_extraction(
    filecontent: bytes | str,
    url: str | None = None,
    *,
    as_dict: bool = False,
    **switches: Unpack[Switches],
) -> BareDocument | dict[str, Any] | None:
    """Return the content of a page and its metadata as a value; None where there is
    none.
    """
    document = _document(filecontent, url, switches)
    if document is None:
        return None
    bare = _bare(document, None, switches)
    return bare.as_dict() if as_dict else bare


def extract_metadata(
    filecontent: bytes | str,
    default_url: str | None = None,
    author_blacklist: set[str] | None = None,
) -> BareDocument:
    """Return the metadata of a page; its text is empty."""
    metadata = read_metadata(parse(filecontent), default_url)
    url = metadata.canonical_url or default_url
    return BareDocument(
        title=metadata.title,
        author=_allowed_authors(metadata.author, author_blacklist),
        url=url,
        hostname=_host(url),
        description=metadata.description,
        sitename=metadata.site_name,
        date=metadata.published or metadata.modified,
        language=metadata.language,
        image=metadata.image,
        pagetype=None,
        text="",
    )


def fetch_url(url: str) -> str | None:
    """Return the HTML at an address; None where it cannot be had."""
    try:
        page = fetch(url)
    except FetchError:
        return None
    return page_text(page.data, Limits().max_bytes, page.charset).text


def html2txt(content: bytes | str) -> str:
    """Return all visible text of a page."""
    tree = parse(content)
    return plain_text(tree, visible(tree))


def _document(
    filecontent: bytes | str, url: str | None, switches: Switches
) -> Document | None:
    """Return the document that the switches ask for; None where they let none pass."""
    _require_known(switches)
    blacklist = switches.get("url_blacklist") or ()
    if url is not None and url in blacklist:
        return None
    document = extract_document(filecontent, url, options=_options(switches))
    max_nodes = switches.get("max_tree_size")
    if max_nodes is not None and len(document.tree) > max_nodes:
        return None
    if not switches.get("include_tables", True):
        selection = _without_tables(document.tree, document.selection)
        document = replace(document, selection=selection)
    if not document.text.strip():
        return None
    essential = (document.date, document.title, document.url)
    if switches.get("only_with_metadata") and not all(essential):
        return None
    return document


def _require_known(switches: Mapping[str, Any]) -> None:
    for name, value in switches.items():
        if name not in Switches.__annotations__:
            raise TypeError(f"extract() got an unexpected keyword argument {name!r}")
        if name in _REFUSED and value is not None:
            raise UsageError(
                f"{name} has no counterpart in Scythe. Leave it out, "
                "or use scythe.extract with ExtractOptions."
            )


def _options(switches: Switches) -> ExtractOptions:
    focus: Focus = "balanced"
    if switches.get("favor_recall"):
        focus = "recall"
    if switches.get("favor_precision"):
        focus = "precision"
    comments: CommentChoice = "in" if switches.get("include_comments", True) else "out"
    return ExtractOptions(
        links="inline" if switches.get("include_links") else "none",
        images=switches.get("include_images", False),
        front_matter=switches.get("with_metadata", False),
        comments=comments,
        focus=focus,
        language=switches.get("target_language"),
    )


def _without_tables(tree: Tree, selection: Selection) -> Selection:
    if selection.tree is not None:
        return selection
    in_table = tree.below(tree.tag == _TABLE)
    return replace(selection, nodes=selection.nodes & ~in_table)


def _bare(
    document: Document, record_id: str | None, switches: Switches
) -> BareDocument:
    metadata = document.metadata
    url = document.url or metadata.canonical_url
    return BareDocument(
        title=document.title,
        author=_allowed_authors(document.author, switches.get("author_blacklist")),
        url=url,
        hostname=_host(url),
        description=metadata.description,
        sitename=metadata.site_name,
        date=document.date,
        language=document.language,
        image=document.image,
        pagetype=document.page_type,
        text=document.text,
        id=record_id,
    )


def _json(document: Document, record_id: str | None, switches: Switches) -> str:
    bare = _bare(document, record_id, switches)
    values: dict[str, Any] = {"text": bare.text}
    if switches.get("with_metadata", False):
        values = {
            "title": bare.title,
            "author": bare.author,
            "hostname": bare.hostname,
            "date": bare.date,
            "id": bare.id,
            "raw_text": bare.text,
            "text": bare.text,
            "language": bare.language,
            "image": bare.image,
            "pagetype": bare.pagetype,
            "source": bare.url,
            "source-hostname": bare.sitename,
            "excerpt": bare.description,
        }
    return json.dumps(values, ensure_ascii=False)


def _csv_row(document: Document, record_id: str | None, switches: Switches) -> str:
    bare = _bare(document, record_id, switches)
    values = {**bare.as_dict(), "source": bare.url}
    line = io.StringIO()
    writer = csv.writer(line, delimiter="\t", lineterminator="")
    cells = [values.get(name) or "" for name in _COLUMNS]
    writer.writerow(cells)
    return line.getvalue()


def _allowed_authors(authors: str | None, blacklist: set[str] | None) -> str | None:
    if not authors or not blacklist:
        return authors
    refused = {name.lower() for name in blacklist}
    names = [name for name in authors.split(", ") if name.lower() not in refused]
    return ", ".join(names) or None


def _host(url: str | None) -> str | None:
    return urlsplit(url).hostname if url else None
