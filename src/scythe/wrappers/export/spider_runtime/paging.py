"""The link to the next page in an exported spider."""

from __future__ import annotations

from typing import Any

from scythe.wrappers.export.spider_runtime.values import line_text
from scythe.wrappers.paging_terms import NEXT_WORDS as NEXT_WORD_SET

NEXT_WORDS = sorted(NEXT_WORD_SET)


def next_link(root: Any, records: list[list[Any]]) -> str | None:
    """Return where the list goes on: what the page declares, a link whose words or
    class say so, or the next number.
    """
    declared = root.xpath(
        "//*[self::link or self::a][contains(concat(' ', @rel, ' '), ' next ')]"
        "[not(@href='')]/@href"
    )
    if declared:
        return str(declared[0])

    links = links_outside(root, records)
    following = [link for link in links if is_next(link)]
    chosen = following[-1] if following else None
    last_record = records[-1] if records else []
    elements = [part for part in last_record if not isinstance(part, str)]
    for element in elements:
        behind = set(element.xpath("following::a"))
        after_records = [link for link in following if link in behind]
        if after_records:
            chosen = after_records[0]
            break
    if chosen is None:
        chosen = next_number(links)
    return None if chosen is None else str(chosen.get("href"))


def links_outside(root: Any, records: list[list[Any]]) -> list[Any]:
    """Return the links of a page outside its records that lead to another page."""
    inside = set()
    for record in records:
        for part in record:
            if not isinstance(part, str):
                inside.update(part.iter("a"))
    return [link for link in root.iter("a") if link not in inside and is_active(link)]


def is_active(link: Any) -> bool:
    """Return whether a link leads to another page and is not switched off."""
    href = (link.get("href") or "").strip().lower()
    if not href or href.startswith(("#", "javascript:", "mailto:")):
        return False
    return "disabled" not in link_classes(link) and link.get("aria-disabled") != "true"


def link_classes(link: Any) -> list[str]:
    """Return the class names of a link and, if it is the only one there, of the element
    around it.
    """
    classes = link.get("class") or ""
    parent = link.getparent()
    if parent is not None and len(list(parent.iter("a"))) == 1:
        classes = f"{classes} {parent.get('class') or ''}"
    return classes.lower().split()


def is_next(link: Any) -> bool:
    """Return whether a link leads to the next page by its words, its label, its title
    or its class.
    """
    text = line_text(link)
    for words in (text, link.get("aria-label") or "", link.get("title") or ""):
        words = words.strip(" \t\n\u00a0>\u00bb\u203a\u2192.|()[]0123456789")
        if words.lower() in NEXT_WORDS:
            return True
    if len(text) >= 3:
        return False
    next_classes = ("next", "pagination-next", "pager-next", "nextpage")
    return any(name in next_classes for name in link_classes(link))


def next_number(links: list[Any]) -> Any:
    """Return the link that shows the number after that of this page, which is marked
    among the links or is none.
    """
    link_of_number = {}
    for link in links:
        text = line_text(link).strip("[]() ")
        if text.isdecimal() and len(text) < 6:
            link_of_number[int(text)] = link

    for number, link in link_of_number.items():
        current_classes = {"active", "current", "selected"}
        if link.get("aria-current") or current_classes & set(link_classes(link)):
            return link_of_number.get(number + 1)
    for number, link in link_of_number.items():
        if number - 1 in link_of_number:
            continue
        if str(number - 1) in numbers_around(link):
            return link
    return None


def numbers_around(link: Any) -> list[str]:
    """Return the numbers in the text of the elements around a link."""
    near = link.getparent()
    if near.getparent() is not None and len(list(near.iter("a"))) == 1:
        near = near.getparent()
    letters = line_text(near)
    digits = [letter if letter.isdecimal() else " " for letter in letters]
    return "".join(digits).split()
