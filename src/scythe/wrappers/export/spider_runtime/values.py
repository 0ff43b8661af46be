"""The text, fields and link of a record in an exported spider."""

from __future__ import annotations

from copy import deepcopy
from typing import Any
from urllib.parse import urljoin, urlsplit

from scythe.sections.fields.record_tree import (
    FORMATTING_TAGS,
    NO_VALUE_TAGS,
)
from scythe.sections.fields.record_tree import SHORTENED as SHORTENED_SIGNS
from scythe.sections.span import NO_RECORD_TEXT as NO_RECORD_TEXT_TAGS
from scythe.sections.span import WITHIN_WORDS as WITHIN_WORDS_TAGS
from scythe.tree.images import LAZY_SOURCES, SOURCE_SETS
from scythe.tree.tags import BREAKING

NO_RECORD_TEXT = sorted(NO_RECORD_TEXT_TAGS.names)
LINE_BREAKING = sorted(BREAKING.names)
WITHIN_WORDS = sorted(WITHIN_WORDS_TAGS.names)
NO_VALUE = sorted(NO_VALUE_TAGS)
FORMATTING = sorted(FORMATTING_TAGS)
SHORTENED = list(SHORTENED_SIGNS)
IMAGE_SOURCES = [*LAZY_SOURCES, "src", *SOURCE_SETS]


def record_text(record: list[Any]) -> str:
    """Return all text of a record: one line a block, words parted by every element but
    those that only format.
    """
    lines: list[list[str]] = [[]]
    stack = record[::-1]
    while stack:
        node = stack.pop()
        if node is None:
            lines.append([])
        elif isinstance(node, str):
            lines[-1].append(node)
        elif isinstance(node.tag, str) and node.tag not in NO_RECORD_TEXT:
            gap: str | None = " "
            if node.tag in LINE_BREAKING:
                gap = None
            elif node.tag in WITHIN_WORDS or "-" in node.tag:
                gap = ""
            stack.append(gap)
            for child in reversed(node):
                stack += [child.tail or "", child]
            stack += [node.text or "", gap]
    texts = [" ".join("".join(line).split()) for line in lines]
    return "\n".join(text for text in texts if text)


def line_text(node: Any) -> str:
    """Return the text of an element, or of text, in one line; what a style sheet sets
    apart does not become one number or word.
    """
    texts: list[str] = []
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            if not part:
                continue
            last = texts[-1][-1:] if texts else ""
            if (last.isdigit() and part[0].isdigit()) or (
                last == ":" and part[0].isalpha()
            ):
                texts.append(" ")
            texts.append(part)
        elif isinstance(part.tag, str) and part.tag not in NO_VALUE:
            if part.tag == "br":
                texts.append(" ")
            for child in reversed(part):
                stack += [child.tail or "", child]
            stack.append(part.text or "")
    return " ".join("".join(texts).split())


def whole_text(node: Any) -> str:
    """Return the text of an element, or what its `title` or that of its link says where
    the page shows only the beginning of it.
    """
    text = line_text(node)
    beginning = ""
    for sign in SHORTENED:
        if text.endswith(sign):
            beginning = text[: -len(sign)].rstrip()
            break
    if len(beginning) < 5 or isinstance(node, str):
        return text
    above = list(node.iterancestors())[:2]
    for element in (*node.iter(), *above):
        title = " ".join((element.get("title") or "").split())
        if title.startswith(beginning):
            return title
    return text


def text_before(node: Any) -> str:
    """Return the text right before an element, with the words that are only formatted:
    `by ` before a name.
    """
    texts: list[str] = []
    elder = node.getprevious()
    while elder is not None:
        texts.append(elder.tail or "")
        if isinstance(elder.tag, str):
            text = line_text(elder)
            if elder.tag == "br" or (text and elder.tag not in FORMATTING):
                break
            texts.append(text)
        elder = elder.getprevious()
    else:
        parent = node.getparent()
        if parent is not None:
            texts.append(parent.text or "")
    return "".join(reversed(texts))


def text_run(text: Any) -> str:
    """Return a text of the page with the words right before and behind it that are only
    formatted.
    """
    elder = None
    parent = text.getparent()
    if text.is_tail:
        elder = parent
        parent = parent.getparent()
    younger = elder.getnext() if elder is not None else next(iter(parent), None)

    texts = [str(text)]
    while elder is not None:
        if isinstance(elder.tag, str) and elder.tag not in FORMATTING:
            break
        texts.insert(0, line_text(elder))
        elder = elder.getprevious()
        texts.insert(0, (parent.text if elder is None else elder.tail) or "")
    while younger is not None:
        if isinstance(younger.tag, str) and younger.tag not in FORMATTING:
            break
        texts += [line_text(younger), younger.tail or ""]
        younger = younger.getnext()
    return " ".join("".join(texts).split())


def image_source(node: Any) -> str:
    """Return the address of an image, also where a script would load it later."""
    for name in IMAGE_SOURCES:
        value = (node.get(name) or "").strip()
        if name.endswith("srcset"):
            candidates = [word.strip(",") for word in value.split()]
            value = next((word for word in candidates if word), "")
        if value and not value.startswith("data:"):
            return str(value)
    return ""


def base_url(root: Any, url: str) -> str:
    """Return what the addresses of a page are relative to: its own, or what its first
    `<base>` with an `href` says; one that is no address of the web is ignored.
    """
    for node in root.iter("base"):
        href = node.get("href")
        if href is None:
            continue
        if len(href) > 4_000:
            return url
        try:
            base = urljoin(url, href.strip().replace(" ", "%20"))
            parts = urlsplit(base)
        except ValueError:
            return url
        return base if parts.scheme in ("http", "https") and parts.netloc else url
    return url


def field_value(node: Any, kind: str) -> str:
    """Return what a field takes from a node: its text, with the text before it
    (`glued`) or around it (`run`), its link, its image.
    """
    if kind == "link":
        return str(node.get("href") or "")
    if kind == "image":
        return image_source(node)
    if kind == "run":
        return text_run(node)
    text = whole_text(node)
    if kind == "glued" and text:
        return " ".join(f"{text_before(node)}{text}".split())
    return text


def record_root(record: list[Any]) -> Any:
    """Return an element that has copies of the elements of a record as its children."""
    elements = [part for part in record if not isinstance(part, str)]
    root = elements[0].makeelement("div")
    last: Any = None
    for part in record:
        if not isinstance(part, str):
            last = deepcopy(part)
            last.tail = None
            root.append(last)
        elif last is not None:
            last.tail = (last.tail or "") + part
        else:
            root.text = (root.text or "") + part
    return root


def read_fields(
    record: list[Any], fields: list[tuple[str, str, str, bool]], *, one_element: bool
) -> dict[str, Any]:
    """Return the values of a record by name; of a field that can repeat, a list.

    `one_element` is whether the record is one element; else its elements are read as
    the children of one.
    """
    root = record[0] if one_element else record_root(record)
    values: dict[str, Any] = {}
    for name, path, kind, many in fields:
        found = [field_value(node, kind) for node in root.xpath(path)]
        found = [value for value in found if value]
        if kind == "run":
            found = list(dict.fromkeys(found))
        if not found:
            continue
        if many and isinstance(values.setdefault(name, []), list):
            values[name] += found
        else:
            values.setdefault(name, found[0])
    return values


def first_link(record: list[Any]) -> str | None:
    """Return the first link of a record."""
    for part in record:
        if isinstance(part, str):
            continue
        for node in part.iter("a"):
            if node.get("href"):
                return str(node.get("href"))
    return None
