"""What an exported spider does with a page, as plain functions over lxml elements.

`spider.py` copies their source into the spiders that need them, so that what a user
runs without Scythe is what the tests here have run. They know nothing but each other
and the constants of this module.

A record is a list of its elements and of the text between them.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any
from urllib.parse import urljoin, urlsplit

from scythe.tree.images import LAZY_SOURCES, SOURCE_SETS
from scythe.tree.tags import SKIPPED as SKIPPED_TAGS
from scythe.tree.text import BREAKING as BREAKING_TAGS
from scythe.wrappers.fields.record_tree import FORMATTING_TAGS
from scythe.wrappers.paging_terms import NEXT_WORDS as NEXT_WORD_SET
from scythe.wrappers.span import NO_RECORD_TEXT
from scythe.wrappers.span import WITHIN_WORDS as WITHIN_WORDS_TAGS

UNREAD = sorted(NO_RECORD_TEXT.names)
BREAKING = sorted(BREAKING_TAGS.names)
WITHIN_WORDS = sorted(WITHIN_WORDS_TAGS.names)
SKIPPED = sorted(SKIPPED_TAGS.names)
UNSEEN = sorted(SKIPPED_TAGS.names - {"button"})
FORMATTING = sorted(FORMATTING_TAGS)
SOURCES = [*LAZY_SOURCES, "src", *SOURCE_SETS]
NEXT_WORDS = sorted(NEXT_WORD_SET)
CONSTANTS = (
    "UNREAD",
    "BREAKING",
    "WITHIN_WORDS",
    "SKIPPED",
    "UNSEEN",
    "FORMATTING",
    "SOURCES",
    "NEXT_WORDS",
)
"""What the functions know besides each other, as plain lists that can be written down."""


def elements_of(parent: Any) -> list[Any]:
    """The child elements, without comments."""
    return [child for child in parent if isinstance(child.tag, str)]


def runs_of(heads: list[Any]) -> list[list[Any]]:
    """Every head with its younger siblings up to the next head; the last run ends
    before a tag that no earlier run has.
    """
    records = []
    known: set[str] = set()
    for place, head in enumerate(heads):
        following = heads[place + 1] if place + 1 < len(heads) else None
        parent = head.getparent()
        if place == 0 or heads[place - 1].getparent() is not parent:
            known = set()
        is_last = following is None or following.getparent() is not parent
        record, node = [], head
        while node is not None and node is not following:
            is_element = isinstance(node.tag, str)
            if (
                is_last
                and known
                and node is not head
                and is_element
                and node.tag not in known
            ):
                break
            if is_element:
                record.append(node)
            record.append(node.tail or "")
            node = node.getnext()
        known.update(part.tag for part in record if not isinstance(part, str))
        records.append(record)
    return records


def add_table_bodies(root: Any) -> None:
    """Give tables the `tbody` that browsers add and lxml does not."""
    for table in list(root.iter("table")):
        body = None
        for child in elements_of(table):
            if child.tag != "tr":
                body = None
                continue
            if body is None:
                body = table.makeelement("tbody")
                table.insert(table.index(child), body)
            body.append(child)


def follow(root: Any, prefix: list[tuple[str, str]]) -> tuple[Any, int] | None:
    """Where a path of tags leads: the element whose children are cut, and how many of
    them stand before the first record.
    """
    parent, children, passed = root, elements_of(root), 0
    for tag, direction in prefix[1:]:
        place = next(
            (
                place
                for place in range(passed, len(children))
                if children[place].tag == tag
            ),
            None,
        )
        if place is None:
            if tag == "head":
                continue
            return None
        if direction == "C":
            parent, children, passed = children[place], elements_of(children[place]), 0
        else:
            passed = place + 1
    return parent, passed


def structure(node: Any, depth: int) -> str:
    """A tag with the structures of its children down to a depth."""
    if not depth:
        return str(node.tag)
    return f"{node.tag}({','.join(structure(child, depth - 1) for child in elements_of(node)[:30])})"


def separated(
    root: Any, prefix: list[tuple[str, str]], separators: list[tuple[list[str], int]]
) -> list[list[Any]]:
    """The children of the element that the prefix leads to, cut after each separator."""
    add_table_bodies(root)
    place = follow(root, prefix)
    if place is None:
        return []
    children, start = elements_of(place[0]), place[1]
    rows = [
        ([structure(child, depth) for child in children], pattern)
        for pattern, depth in separators
    ]
    pieces = []
    for stop in range(start + 1, len(children) + 1):
        if any(
            stop - len(pattern) >= start and row[stop - len(pattern) : stop] == pattern
            for row, pattern in rows
        ):
            pieces.append((start, stop))
            start = stop
    if (
        pieces
        and start < len(children)
        and children[start].tag == children[pieces[-1][0]].tag
    ):
        pieces.append((start, len(children)))
    records = []
    for first, stop in without_heading([child.tag for child in children], pieces):
        before = (children[first - 1].tail if first else place[0].text) or ""
        record = [before] if before.strip() else []
        for child in children[first:stop]:
            record += [child, child.tail or ""]
        if has_text(record[:-1]):
            records.append(record[:-1])
    return records


def without_heading(
    tags: list[str], pieces: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The pieces, the first one without what stands before the list, which begins with
    another tag than the others.
    """
    if len(pieces) < 2 or tags[pieces[0][0]] == tags[pieces[1][0]]:
        return pieces
    (start, stop), wanted = pieces[0], tags[pieces[1][0]]
    longest = max(stop - start for start, stop in pieces[1:])
    starts = [
        place
        for place in range(max(start, stop - longest), stop)
        if tags[place] == wanted
    ]
    return [(starts[0] if starts else start, stop), *pieces[1:]]


def has_text(record: list[Any]) -> bool:
    """Whether there is anything to read in a record, besides the words of controls."""
    for part in record:
        for node in [] if isinstance(part, str) else part.iter():
            texts = [
                node.text if isinstance(node.tag, str) else "",
                *(child.tail for child in node),
            ]
            if node.tag not in SKIPPED and any(text and text.strip() for text in texts):
                return True
    return any(isinstance(part, str) and part.strip() for part in record)


def text_of(record: list[Any]) -> str:
    """All text of a record: one line a block, words parted by every element but those
    that only format.
    """
    lines: list[list[str]] = [[]]
    waiting = record[::-1]
    while waiting:
        node = waiting.pop()
        if node is None:
            lines.append([])
        elif isinstance(node, str):
            lines[-1].append(node)
        elif isinstance(node.tag, str) and node.tag not in UNREAD:
            parted = (
                None
                if node.tag in BREAKING
                else ""
                if node.tag in WITHIN_WORDS or "-" in node.tag
                else " "
            )
            waiting.append(parted)
            for child in reversed(node):
                waiting += [child.tail or "", child]
            waiting += [node.text or "", parted]
    return "\n".join(filter(None, (" ".join("".join(line).split()) for line in lines)))


def line_of(node: Any) -> str:
    """The text of an element, or of text, in one line; what a style sheet sets apart
    does not become one number or word.
    """
    parts: list[str] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            last = parts[-1][-1:] if parts else ""
            if part and (
                (last.isdigit() and part[0].isdigit())
                or (last == ":" and part[0].isalpha())
            ):
                parts.append(" ")
            if part:
                parts.append(part)
        elif isinstance(part.tag, str) and part.tag not in UNSEEN:
            if part.tag == "br":
                parts.append(" ")
            for child in reversed(part):
                waiting += [child.tail or "", child]
            waiting.append(part.text or "")
    return " ".join("".join(parts).split())


def before(node: Any) -> str:
    """The text right before an element, with the words that are only formatted: `by `
    before a name.
    """
    parts: list[str] = []
    elder = node.getprevious()
    while elder is not None:
        parts.append(elder.tail or "")
        if isinstance(elder.tag, str):
            if elder.tag not in FORMATTING and line_of(elder):
                break
            if elder.tag == "br":
                break
            parts.append(line_of(elder))
        elder = elder.getprevious()
    else:
        parts.append(
            node.getparent().text or "" if node.getparent() is not None else ""
        )
    return "".join(reversed(parts))


def run_of(text: Any) -> str:
    """A text of the page with the words right before and behind it that are only
    formatted.
    """
    elder = text.getparent() if text.is_tail else None
    parent = text.getparent().getparent() if text.is_tail else text.getparent()
    younger = elder.getnext() if elder is not None else next(iter(parent), None)
    parts = [str(text)]
    while elder is not None and (
        elder.tag in FORMATTING or not isinstance(elder.tag, str)
    ):
        parts.insert(0, line_of(elder))
        elder = elder.getprevious()
        parts.insert(0, (parent.text if elder is None else elder.tail) or "")
    while younger is not None and (
        younger.tag in FORMATTING or not isinstance(younger.tag, str)
    ):
        parts += [line_of(younger), younger.tail or ""]
        younger = younger.getnext()
    return " ".join("".join(parts).split())


def image_of(node: Any) -> str:
    """The address of an image, also where a script would load it later."""
    for name in SOURCES:
        value = (node.get(name) or "").strip()
        if name.endswith("srcset"):
            candidates = [word.strip(",") for word in value.split()]
            value = next((word for word in candidates if word), "")
        if value and not value.startswith("data:"):
            return str(value)
    return ""


def base_url(root: Any, url: str) -> str:
    """What the addresses of a page are relative to: its own, or what its first `<base>`
    with an `href` says; one that is no address of the web is ignored.
    """
    for node in root.iter("base"):
        href = node.get("href")
        if href is not None and len(href) > 4_000:
            return url
        if href is not None:
            try:
                base = urljoin(url, href.strip().replace(" ", "%20"))
                parts = urlsplit(base)
            except ValueError:
                return url
            return base if parts.scheme in ("http", "https") and parts.netloc else url
    return url


def value_of(node: Any, kind: str) -> str:
    """What is taken from a place: its text, with the text before it (`glued`) or around
    it (`run`), its link, its image.
    """
    if kind == "link":
        return str(node.get("href") or "")
    if kind == "image":
        return image_of(node)
    if kind == "run":
        return run_of(node)
    own = line_of(node)
    return " ".join(f"{before(node)}{own}".split()) if kind == "glued" and own else own


def fields_of(
    record: list[Any], places: list[tuple[str, str, str, bool]], *, whole: bool
) -> dict[str, Any]:
    """The fields of a record by name; a field that can repeat is a list.

    `whole` is whether the record is one element; else its elements are read as the
    children of one.
    """
    root = record[0]
    if not whole:
        root = next(part for part in record if not isinstance(part, str)).makeelement(
            "div"
        )
        for part in record:
            if not isinstance(part, str):
                root.append(deepcopy(part))
                root[-1].tail = None
            elif len(root):
                root[-1].tail = (root[-1].tail or "") + part
            else:
                root.text = (root.text or "") + part
    fields: dict[str, Any] = {}
    for name, path, kind, many in places:
        found = (value_of(node, kind) for node in root.xpath(path))
        values = (
            list(dict.fromkeys(value for value in found if value))
            if kind == "run"
            else [value for value in found if value]
        )
        if values and many and isinstance(fields.setdefault(name, []), list):
            fields[name] += values
        elif values:
            fields.setdefault(name, values[0])
    return fields


def first_link(record: list[Any]) -> str | None:
    """The first link of a record."""
    for part in record:
        for node in [] if isinstance(part, str) else part.iter("a"):
            if node.get("href"):
                return str(node.get("href"))
    return None


def next_link(root: Any, records: list[list[Any]]) -> str | None:
    """Where the list goes on: what the page declares, a link whose words or class say
    so, or the next number.
    """
    declared = root.xpath(
        "//*[self::link or self::a][contains(concat(' ', @rel, ' '), ' next ')][not(@href='')]/@href"
    )
    if declared:
        return str(declared[0])
    inside = {
        link
        for record in records
        for part in record
        if not isinstance(part, str)
        for link in part.iter("a")
    }
    links = [link for link in root.iter("a") if link not in inside and leads_on(link)]
    found = dict.fromkeys(link for link in links if is_next(link))
    last = records[-1] if records else []
    behind = [
        link
        for part in last
        if not isinstance(part, str)
        for link in part.xpath("following::a")
    ]
    chosen = next(
        (link for link in behind if link in found), next(reversed(found), None)
    )
    if chosen is None:
        chosen = next_number(links)
    return None if chosen is None else str(chosen.get("href"))


def leads_on(link: Any) -> bool:
    """Whether a link leads to another page and is not switched off."""
    href = (link.get("href") or "").strip()
    if (
        not href
        or href.startswith("#")
        or href.lower().startswith(("javascript:", "mailto:"))
    ):
        return False
    return "disabled" not in classes_of(link) and link.get("aria-disabled") != "true"


def classes_of(link: Any) -> list[str]:
    """The class names of a link and, if it is the only one there, of the element around
    it.
    """
    around = link.getparent()
    alone = around is not None and len(list(around.iter("a"))) == 1
    return f"{link.get('class') or ''} {(around.get('class') or '') if alone else ''}".lower().split()


def is_next(link: Any) -> bool:
    """Whether a link leads to the next page by its words, its label, its title or its
    class.
    """
    words = [line_of(link), link.get("aria-label") or "", link.get("title") or ""]
    if any(
        text.strip(" \t\n\u00a0>\u00bb\u203a\u2192.|()[]0123456789").lower()
        in NEXT_WORDS
        for text in words
    ):
        return True
    return len(words[0]) < 3 and any(
        name in ("next", "pagination-next", "pager-next", "nextpage")
        for name in classes_of(link)
    )


def next_number(links: list[Any]) -> Any:
    """The link that shows the number after that of this page, which is marked among the
    links or is none.
    """
    shown = {link: line_of(link).strip("[]() ") for link in links}
    numbers = {
        int(text): link
        for link, text in shown.items()
        if text.isdecimal() and len(text) < 6
    }
    for number, link in numbers.items():
        if link.get("aria-current") or any(
            name in ("active", "current", "selected") for name in classes_of(link)
        ):
            return numbers.get(number + 1)
    for number, link in numbers.items():
        near = link.getparent()
        near = (
            near
            if near.getparent() is None or len(list(near.iter("a"))) > 1
            else near.getparent()
        )
        digits = "".join(
            letter if letter.isdecimal() else " " for letter in line_of(near)
        ).split()
        if number - 1 not in numbers and str(number - 1) in digits:
            return link
    return None
