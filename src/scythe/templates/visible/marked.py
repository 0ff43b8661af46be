"""Values beside the title that class names or icons name: `<span class="job-location">`,
`<i class="icon-company"></i> Hay Ltd`, `<time datetime=...>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from scythe.templates.visible.page import MAX_CLASS_CHARS, VisiblePage, split_class

LINES_BEFORE_TITLE = 10
LINES_AFTER_TITLE = 30
"""Lines around the title in which its record's facts stand; not tuned."""
MAX_MARKED = 100
"""Characters of a value that a class name marks; longer ones are whole parts of a page."""
MAX_LINES = 2

CLASS_WORDS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "Product": {"brand": frozenset({"brand", "manufacturer", "vendor"})},
    "JobPosting": {
        "company": frozenset({"company", "employer", "organization", "organisation"}),
        "location": frozenset({"location", "locality"}),
        "employment": frozenset({"employment", "contract", "jobtype"}),
        "salary": frozenset({"salary", "wage", "compensation"}),
        "valid_through": frozenset({"deadline"}),
    },
    "Event": {
        "start": frozenset({"dtstart", "startdate"}),
        "end": frozenset({"dtend", "enddate"}),
        "venue": frozenset({"venue"}),
        "location": frozenset({"address"}),
        "organizer": frozenset({"organizer", "organiser"}),
        "performer": frozenset({"performer", "performers", "artist", "artists"}),
    },
}
"""For each schema words of class names that name a field."""

_NEUTRAL_WORDS = frozenset(
    """
    product job event item name title value details detail info page icon fa fas i meta
    link label post posting vacancy single data field hiring main content
    """.split()
)
"""Words of class names that say nothing against the field beside them."""
_DATE_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ][\d:.,+Z-]{4,25})?")


def marked_values(page: VisiblePage, schema_name: str) -> Mapping[str, str]:
    """Return for fields of a schema the first text beside the title that a class name
    marks as such.
    """
    class_words = CLASS_WORDS.get(schema_name, {})
    found: dict[str, str] = {}
    if not class_words or not page.texts:
        return found
    for element, classes in page.tree.with_attribute("class").items():
        if not _is_beside_title(page, page.line_at(element)):
            continue
        for name, of_field in class_words.items():
            if name not in found and _marks_field(classes, of_field):
                text = _marked_text(page, element)
                if text:
                    found[name] = text
    return found


def _marks_field(classes: str, of_field: frozenset[str]) -> bool:
    """Return whether one of the class names says a field and nothing else:
    `product-brand` does, `text-brand-500` is a colour.
    """
    for name in classes[:MAX_CLASS_CHARS].split():
        words = split_class(name)
        if words & of_field and words <= of_field | _NEUTRAL_WORDS:
            return not any(map(str.isdigit, name))
    return False


def times_beside_title(page: VisiblePage) -> Iterator[tuple[int, str]]:
    """Yield the dates of `<time>` elements beside the title, each with its line."""
    for element, written in page.tree.with_attribute("datetime").items():
        line = page.line_at(element)
        is_time = page.tree.name(element) == "time"
        if not is_time or not _is_beside_title(page, line):
            continue
        stated = written.strip()
        if _DATE_TIME.fullmatch(stated):
            yield line, stated


def _is_beside_title(page: VisiblePage, line: int) -> bool:
    distance = line - page.title_line
    is_near = -LINES_BEFORE_TITLE <= distance <= LINES_AFTER_TITLE
    if not is_near or line >= len(page.texts):
        return False
    return not page.is_aside(line)


def _marked_text(page: VisiblePage, element: int) -> str:
    """Return the short text of an element, of an icon that of the element around it."""
    text = _short_text(page, element)
    if text is None:
        parent = int(page.tree.parent[element])
        text = _short_text(page, parent) if parent >= 0 else None
    return text or ""


def _short_text(page: VisiblePage, element: int) -> str | None:
    """Return the text of an element, empty where it is long, None where it has none."""
    end = int(page.tree.end[element])
    pieces: list[str] = []
    length = 0
    for node in range(element, end):
        is_in_line = page.lines.line_of[node] >= 0
        if page.tree.is_text[node] and is_in_line:
            text = str(page.tree.text[node])
            piece = " ".join(text.split())
            pieces.append(piece)
            length += len(piece)
        if length > MAX_MARKED:
            return ""
    if not pieces:
        return None
    return " ".join(pieces)
