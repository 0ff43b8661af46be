"""Names for columns: title, link, snippet, image, price, date, rating and author where
they are clear; else what the page calls them, by a header, a label or schema.org; numbers
for the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scythe.kinds import (
    holds_dates,
    is_address_column,
    is_date,
    is_price,
    is_rating,
)
from scythe.sections.fields.alternatives import is_former_price, join_alternatives
from scythe.sections.fields.columns import (
    ColumnKind,
    UnnamedColumn,
    columns_below,
    is_useful,
    read_values,
    without_duplicates,
)
from scythe.sections.fields.fields import Fields
from scythe.sections.fields.folding import folded_columns
from scythe.sections.fields.labels import column_labels, label_columns, plain_name
from scythe.sections.fields.position import ColumnPosition, prune
from scythe.sections.span import Span
from scythe.tree.tags import HEADING
from scythe.tree.tree import Tree

_TITLE_NAMES = ("title", "name", "headline", "heading")
_AUTHOR_NAMES = ("author", "user", "byline", "profile")
_AUTHOR_LENGTH = 60
"""Characters that an author has on average, at most; not tuned."""
_NAME_LENGTH = 2
"""The same, at least: one letter stands where a picture is missing."""
_DATED = 0.8
"""The share of the records that must have a text for its dates to be theirs; not tuned."""
_REPEATED = 0.6
"""The share of a column's values that repeat the title of their record; not tuned."""
_SNIPPET_LENGTH = 40
"""Characters that a snippet has on average, at least; not tuned."""


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns are kept, and what they are called."""

    header_names: bool = False
    """Whether the columns of a table are called as their headers say, also those that
    are a title or a date.
    """
    is_folded: bool = False
    """Whether columns that few records have, and those that say the same in all, are
    left out.
    """


ALL_COLUMNS = ColumnOptions()
MAIN_COLUMNS = ColumnOptions(header_names=True, is_folded=True)
"""What a person who looks at a page expects."""


def name_columns(
    root: ColumnPosition,
    records: Sequence[tuple[Tree, Span]],
    options: ColumnOptions = ALL_COLUMNS,
) -> Fields:
    """Name the columns of all positions by what the records have there, and return
    them; columns of nothing are removed.
    """
    columns = columns_below(root)
    read_values(root, columns, records)
    useful = [column for column in columns if is_useful(column)]
    named = without_duplicates(useful)
    names = _names(named, len(records), header_names=options.header_names)
    join_alternatives(names)
    if options.is_folded:
        folded = folded_columns(names, len(records), label_columns(named))
        names = {column: name for column, name in names.items() if column not in folded}
    for column in columns:
        column.name(names.get(column))
    columns_read = list(dict.fromkeys(names.values()))
    dated = _dated_column(names, len(records))
    if dated is not None:
        dated.position.date = "date"
        columns_read.insert(columns_read.index(names[dated]) + 1, "date")
    prune(root)
    return Fields(root, tuple(columns_read))


def _dated_column(
    names: dict[UnnamedColumn, str], records: int
) -> UnnamedColumn | None:
    """Return the shortest text that has the date of every record among other words, as
    in "by Ann on 3 May 2024"; None where a column is the date already.
    """
    dated = []
    for column, name in names.items():
        if name == "date":
            return None
        if not column.is_text or name == "title":
            continue
        if is_date(column.values):
            return None
        is_common = column.records >= _DATED * records
        if column.repeats or not is_common:
            continue
        if holds_dates(column.values) and _has_own_values(column):
            dated.append(column)
    return min(dated, key=lambda column: column.mean_length, default=None)


def _names(
    columns: list[UnnamedColumn], records: int, *, header_names: bool
) -> dict[UnnamedColumn, str]:
    """Return the name of each column, in reading order."""
    recognised = dict(_recognised_columns(columns, records))
    text_names = _text_names(columns, recognised, header_names=header_names)
    names: dict[UnnamedColumn, str] = {}
    addresses = [column for column in columns if not column.is_text]
    taken = {recognised[column] for column in addresses if column in recognised}
    taken.update(text_names.values())
    for column in columns:
        if column.is_text:
            names[column] = text_names[column]
        elif column in recognised:
            names[column] = recognised[column]
        else:
            name = _address_name(column, text_names)
            names[column] = _first_free(name, taken)
            taken.add(names[column])
    return names


def _text_names(
    columns: list[UnnamedColumn],
    recognised: dict[UnnamedColumn, str],
    *,
    header_names: bool,
) -> dict[UnnamedColumn, str]:
    """Return the names of the columns of text: what is recognised, what the page calls
    it, or a number.
    """
    texts = [column for column in columns if column.is_text]
    labels = column_labels(texts)
    chosen: dict[UnnamedColumn, str] = {}
    for column in texts:
        header = plain_name(column.header or "")
        if header and header_names:
            chosen[column] = header
        elif column in recognised:
            chosen[column] = recognised[column]
        elif name := header or column.declared or labels.get(column):
            chosen[column] = name
        elif kind := _kind(column):
            chosen[column] = kind

    names: dict[UnnamedColumn, str] = {}
    taken: set[str] = set()
    by_role = [
        column for column in texts if chosen.get(column) == recognised.get(column)
    ]
    for column in [*by_role, *texts]:
        if column in chosen and column not in names:
            names[column] = _first_free(chosen[column], taken)
            taken.add(names[column])
    unnamed = 0
    for column in texts:
        if column not in chosen:
            unnamed += 1
            names[column] = f"column_{unnamed}"
    return names


def _kind(column: UnnamedColumn) -> str | None:
    """Return what kind of values a column holds that is not the first of its kind."""
    if not _has_own_values(column):
        return None
    fitting = [name for name, test in _VALUE_TESTS.items() if test(column)]
    return next(iter(fitting), None)


def _address_name(column: UnnamedColumn, text_names: dict[UnnamedColumn, str]) -> str:
    """Return a name for a link or image: after the text it belongs to, if any."""
    for text, name in text_names.items():
        if column.belongs_to(text):
            return f"{name}_{column.kind}"
    return column.kind.value


def _first_free(name: str, taken: set[str]) -> str:
    """Return a name, with the first number that makes it one that is not taken."""
    number, free_name = 1, name
    while free_name in taken:
        number += 1
        free_name = f"{name}_{number}"
    return free_name


def _recognised_columns(
    columns: list[UnnamedColumn], records: int
) -> Iterator[tuple[UnnamedColumn, str]]:
    """Yield the columns whose meaning is clear, with their names."""
    single = [column for column in columns if not column.repeats]
    authors = [column for column in columns if column.declared == "author"]
    texts = [column for column in single if column.is_text and column not in authors]
    links = [column for column in columns if column.kind is ColumnKind.LINK]
    single_links = [link for link in links if not link.repeats]
    images = [column for column in single if column.kind is ColumnKind.IMAGE]

    title = max(
        texts, key=lambda column: _title_score(column, links, records), default=None
    )
    title_links: list[UnnamedColumn] = []
    if title is not None:
        title_links = [link for link in links if link.belongs_to(title)]
        if _title_score(title, links, records) > 0:
            yield title, "title"
            texts.remove(title)

    link = _commonest(title_links, records, prefer_long=True)
    if link is None:
        link = _commonest(single_links, records)
    if link is not None:
        yield link, "link"
    image = _commonest(images, records)
    if image is not None:
        yield image, "image"

    for name, test in _VALUE_TESTS.items():
        fitting = [column for column in texts if test(column)]
        own = [column for column in fitting if _has_own_values(column)]
        is_declared = name == "author" and bool(authors)
        if own and not is_declared:
            best = max(own, key=_prominence)
            yield best, name
            texts.remove(best)

    snippets = [column for column in texts if _is_snippet(column)]
    if title is not None:
        snippets = [one for one in snippets if not _repeats_title(one, title)]
    if snippets:
        best = max(snippets, key=lambda column: column.mean_length * column.records)
        yield best, "snippet"


_VALUE_TESTS: dict[str, Callable[[UnnamedColumn], bool]] = {
    "price": lambda column: is_price(column.values),
    "date": lambda column: is_date(column.values) or column.position.tag == "time",
    "rating": lambda column: is_rating(column.values, column.class_names),
    "author": lambda column: _is_author(column),
}


def _prominence(column: UnnamedColumn) -> tuple[bool, int]:
    """Return what is greatest for the price, date or rating that a record is known by."""
    return not is_former_price(column), column.records


def _has_own_values(column: UnnamedColumn) -> bool:
    if column.records == 1:
        return True
    different = set(column.values)
    return len(different) > 1


def _is_author(column: UnnamedColumn) -> bool:
    """Return whether class names say that a column holds people."""
    last_classes = " ".join(column.position.classes).lower()
    if not any(name in last_classes for name in _AUTHOR_NAMES):
        return False
    if _are_counts(column.values):
        return False
    with_letters = [value for value in column.values if _has_letters(value)]
    is_mostly_letters = len(with_letters) > len(column.values) / 2
    if not is_mostly_letters:
        return False
    length = column.mean_length
    return _NAME_LENGTH <= length <= _AUTHOR_LENGTH


def _is_snippet(column: UnnamedColumn) -> bool:
    if column.variety <= 0.5 or is_address_column(column.values):
        return False
    return column.mean_length >= _SNIPPET_LENGTH


def _repeats_title(column: UnnamedColumn, title: UnnamedColumn) -> bool:
    """Return whether a text is the title, or has it among a few words: "Add Widget 3000
    to cart".
    """
    titles = dict(zip(title.rows, title.values, strict=True))
    repeated = 0
    for row, value in zip(column.rows, column.values, strict=True):
        own_title = titles.get(row, "")
        if not own_title or own_title not in value:
            continue
        is_short = len(value) < 2 * len(own_title)
        repeated += is_short
    return repeated >= _REPEATED * len(column.values)


def _commonest(
    columns: list[UnnamedColumn], records: int, *, prefer_long: bool = False
) -> UnnamedColumn | None:
    """Return the column that most records have, with values of their own; of equals the
    longest (`/owner/name`) or the first.
    """

    def score(column: UnnamedColumn) -> tuple[float, float]:
        own_share = column.variety * column.records / records
        length = column.mean_length if prefer_long else 0
        return own_share, length

    return max(columns, key=score, default=None)


def _title_score(
    column: UnnamedColumn, links: list[UnnamedColumn], records: int
) -> float:
    """Return how much a column is like a title: most records have one of their own, as
    a heading or a link, a few words long.
    """
    coverage = column.records / records
    with_letters = [value for value in column.values if _has_letters(value)]
    letter_share = len(with_letters) / max(len(column.values), 1)
    if coverage < 0.5 or letter_share < 0.5:
        return 0.0
    values = column.values
    if is_address_column(values) or is_date(values) or is_price(values):
        return 0.0
    if _are_counts(values):
        return 0.0

    score = 1.0
    if column.tags() & HEADING.names:
        score += 1.0
    link_scores = [_link_score(link, column) for link in links]
    score += max(link_scores, default=0.0)
    class_names = column.class_names.lower()
    if any(name in class_names for name in _TITLE_NAMES):
        score += 0.7
    if any(name in class_names for name in _AUTHOR_NAMES):
        score -= 0.5
    if holds_dates(values):
        score -= 0.5  # "by Ann on 3 May 2024" is said of a record, not its title
    length_factor = 0.6
    if 8 <= column.mean_length <= 160:
        length_factor = 1.0
    return coverage * column.variety * score * length_factor


def _are_counts(values: list[str]) -> bool:
    """Return whether values say how many of one thing there are: `4,931 posts`."""
    words = {" ".join(re.findall(r"[^\W\d]+", value)) for value in values}
    return len(words) == 1 and all(value[:1].isdigit() for value in values)


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _link_score(link: UnnamedColumn, text: UnnamedColumn) -> float:
    """Return 1 for a text in a link, as titles are; less for one with a link in it."""
    if not link.belongs_to(text):
        return 0.0
    is_inside_link = len(link.path) <= len(text.path)
    return 1.0 if is_inside_link else 0.5
