"""Names for columns: title, link, snippet, image, price, date and rating where they are
clear, numbers for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from scythe.kinds import is_address_column, is_date, is_price, is_rating
from scythe.sections.fields.fields import Fields
from scythe.sections.fields.position import ColumnPosition, prune
from scythe.sections.fields.value_parts import is_informative
from scythe.sections.span import Span
from scythe.tree.tags import HEADING
from scythe.tree.tree import Tree

_TITLE_NAMES = ("title", "name", "headline", "heading")
_AUTHOR_NAMES = ("author", "user", "byline", "profile")
_SNIPPET_LENGTH = 40
"""Characters that a snippet has on average, at least; not tuned."""

_NO_ADDRESS = ("#", "javascript:", "data:", "about:")


class ColumnKind(StrEnum):
    """What is read from a position; the attribute of `ColumnPosition` that names the column."""

    TEXT = "text"
    LINK = "link"
    IMAGE = "image"


@dataclass(eq=False)
class UnnamedColumn:
    """A column before it has a name: where it is, and what the records have there."""

    path: tuple[ColumnPosition, ...]
    kind: ColumnKind
    values: list[str] = field(default_factory=list)
    records: int = 0

    @property
    def position(self) -> ColumnPosition:
        """Where its values are read."""
        return self.path[-1]

    @property
    def is_text(self) -> bool:
        """Whether its values are texts, not addresses."""
        return self.kind is ColumnKind.TEXT

    @property
    def repeats(self) -> bool:
        """Whether a record can have several of it."""
        return any(position.repeats for position in self.path)

    @property
    def variety(self) -> float:
        """The share of values that are different: 1 for titles, little for labels."""
        if not self.values:
            return 0.0
        different = set(self.values)
        return len(different) / len(self.values)

    @property
    def mean_length(self) -> float:
        """Characters of a value on average."""
        if not self.values:
            return 0.0
        total = sum(map(len, self.values))
        return total / len(self.values)

    @property
    def class_names(self) -> str:
        """The class names on the way, from the last three steps."""
        names: list[str] = []
        for position in self.path[-3:]:
            names.extend(position.classes)
        return " ".join(names)

    def tags(self) -> set[str]:
        """Return the tags on the way down to it."""
        return {position.tag for position in self.path}

    def name(self, name: str | None) -> None:
        """Set the name under which the column is read; None to read it no more."""
        setattr(self.position, self.kind.value, name)

    def belongs_to(self, other: UnnamedColumn) -> bool:
        """Return whether a link or image is that of a text: at the same position, or
        one inside the other.
        """
        shorter = min(len(self.path), len(other.path))
        return self.path[:shorter] == other.path[:shorter]


def name_columns(root: ColumnPosition, records: Sequence[tuple[Tree, Span]]) -> Fields:
    """Name the columns of all positions by what the records have there, and return
    them; columns of nothing are removed.
    """
    columns = _columns_below(root)
    _read_values(root, columns, records)
    useful = [column for column in columns if _is_useful(column)]
    named = _without_duplicates(useful)
    names = _names(named, len(records))
    for column in columns:
        column.name(names.get(column))
    prune(root)
    return Fields(root, tuple(names.values()))


def _columns_below(root: ColumnPosition) -> list[UnnamedColumn]:
    """Return all columns in reading order."""
    columns: list[UnnamedColumn] = []
    stack: list[tuple[ColumnPosition, ...]] = [(root,)]
    while stack:
        path = stack.pop()
        position = path[-1]
        read_kinds = [kind for kind in ColumnKind if getattr(position, kind.value)]
        columns.extend(UnnamedColumn(path, kind) for kind in read_kinds)
        children = reversed(position.children)
        stack.extend((*path, child) for child in children)
    return columns


def _read_values(
    root: ColumnPosition,
    columns: list[UnnamedColumn],
    records: Sequence[tuple[Tree, Span]],
) -> None:
    """Add what the records have to their columns, which are named by number for it."""
    for number, column in enumerate(columns):
        column.name(str(number))
    numbers = range(len(columns))
    fields = Fields(root, tuple(map(str, numbers)))
    for tree, span in records:
        for name, value in fields.read(tree, span).items():
            column = columns[int(name)]
            if isinstance(value, list):
                column.values.extend(value)
            else:
                column.values.append(value)
            column.records += 1


def _is_useful(column: UnnamedColumn) -> bool:
    """Return whether a column says anything: not the signs between values, nor an
    address that is the same in all records.
    """
    if not column.values:
        return False
    if column.is_text:
        return any(_is_useful_text(value) for value in column.values)
    if all(value.startswith(_NO_ADDRESS) for value in column.values):
        return False
    if column.variety > 0.5 or column.records == 1:
        return True
    different = set(column.values)
    return len(different) > 2


def _is_useful_text(value: str) -> bool:
    return is_informative(value) or is_rating([value], "")


def _without_duplicates(columns: list[UnnamedColumn]) -> list[UnnamedColumn]:
    """Return the columns without links and images that only repeat another one, as the
    image of a card links where its title does.

    Of the same links that at a text is kept, or else the first.
    """
    texts = [column for column in columns if column.is_text]
    kept: dict[tuple[str, ...], UnnamedColumn] = {}
    for column in columns:
        if column.is_text:
            continue
        key = (column.kind, *column.values)
        if key in kept:
            known_has_text = _has_text(kept[key], texts)
            if known_has_text or not _has_text(column, texts):
                continue
        kept[key] = column
    chosen = set(kept.values())
    return [column for column in columns if column.is_text or column in chosen]


def _has_text(link: UnnamedColumn, texts: list[UnnamedColumn]) -> bool:
    return any(link.belongs_to(text) for text in texts)


def _names(columns: list[UnnamedColumn], records: int) -> dict[UnnamedColumn, str]:
    """Return the name of each column, in reading order."""
    recognised = dict(_recognised_columns(columns, records))
    text_names: dict[UnnamedColumn, str] = {}
    unnamed = 0
    for column in columns:
        if column.is_text and column in recognised:
            text_names[column] = recognised[column]
        elif column.is_text:
            unnamed += 1
            text_names[column] = f"column_{unnamed}"

    names: dict[UnnamedColumn, str] = {}
    taken = set(recognised.values()) | set(text_names.values())
    for column in columns:
        if column in recognised:
            names[column] = recognised[column]
        elif column.is_text:
            names[column] = text_names[column]
        else:
            name = _address_name(column, text_names)
            names[column] = _first_free(name, taken)
            taken.add(names[column])
    return names


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
    texts = [column for column in single if column.is_text]
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
        if own:
            best = max(own, key=lambda column: column.records)
            yield best, name
            texts.remove(best)

    snippets = [column for column in texts if _is_snippet(column)]
    if snippets:
        best = max(snippets, key=lambda column: column.mean_length * column.records)
        yield best, "snippet"


_VALUE_TESTS: dict[str, Callable[[UnnamedColumn], bool]] = {
    "price": lambda column: is_price(column.values),
    "date": lambda column: is_date(column.values),
    "rating": lambda column: is_rating(column.values, column.class_names),
}


def _has_own_values(column: UnnamedColumn) -> bool:
    if column.records == 1:
        return True
    different = set(column.values)
    return len(different) > 1


def _is_snippet(column: UnnamedColumn) -> bool:
    if column.variety <= 0.5 or is_address_column(column.values):
        return False
    return column.mean_length >= _SNIPPET_LENGTH


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
    length_factor = 0.6
    if 8 <= column.mean_length <= 160:
        length_factor = 1.0
    return coverage * column.variety * score * length_factor


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _link_score(link: UnnamedColumn, text: UnnamedColumn) -> float:
    """Return 1 for a text in a link, as titles are; less for one with a link in it."""
    if not link.belongs_to(text):
        return 0.0
    is_inside_link = len(link.path) <= len(text.path)
    return 1.0 if is_inside_link else 0.5
