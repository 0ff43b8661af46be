"""Names for columns: title, link, snippet, image, price, date and rating where they are
clear, numbers for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from scythe.kinds import is_address, is_date, is_price, is_rating
from scythe.tree.tags import HEADING
from scythe.tree.tree import Tree
from scythe.wrappers.fields.fields import Fields
from scythe.wrappers.fields.growing import prune
from scythe.wrappers.fields.pieces import says_something
from scythe.wrappers.fields.place import Place
from scythe.wrappers.span import Span

_KINDS: tuple[Literal["text", "link", "image"], ...] = ("text", "link", "image")
_TITLE_NAMES = ("title", "name", "headline", "heading")
_AUTHOR_NAMES = ("author", "user", "byline", "profile")
_LONG_TEXT = 40
"""Characters that a snippet has on average, at least."""

_NO_ADDRESS = ("#", "javascript:", "data:", "about:")


@dataclass(eq=False)
class Column:
    """A column before it has a name: where it is, and what the records have there."""

    path: tuple[Place, ...]
    kind: Literal["text", "link", "image"]
    values: list[str] = field(default_factory=list)
    records: int = 0

    @property
    def place(self) -> Place:
        """Where its values are taken."""
        return self.path[-1]

    @property
    def repeats(self) -> bool:
        """Whether a record can have several of it."""
        return any(place.repeats for place in self.path)

    @property
    def variety(self) -> float:
        """The share of values that are different: 1 for titles, little for labels."""
        return len(set(self.values)) / len(self.values) if self.values else 0.0

    @property
    def length(self) -> float:
        """Characters of a value on average."""
        return sum(map(len, self.values)) / len(self.values) if self.values else 0.0

    @property
    def class_names(self) -> str:
        """The class names on the way, from the last three steps."""
        return " ".join(name for place in self.path[-3:] for name in place.classes)

    def tags(self) -> set[str]:
        """The tags on the way down to it."""
        return {place.tag for place in self.path}


def name_columns(root: Place, records: Sequence[tuple[Tree, Span]]) -> Fields:
    """Name the columns of all places by what the records have there; columns of nothing
    are taken away.
    """
    columns = _columns(root)
    _read_values(root, columns, records)
    kept = _without_twins([column for column in columns if _is_worth_a_column(column)])
    names = _names(kept, len(records))
    for column in columns:
        setattr(column.place, column.kind, names.get(column))
    prune(root)
    return Fields(root, tuple(names.values()))


def _columns(root: Place) -> list[Column]:
    """All columns in reading order."""
    found: list[Column] = []
    waiting: list[tuple[Place, ...]] = [(root,)]
    while waiting:
        path = waiting.pop()
        found.extend(Column(path, kind) for kind in _KINDS if getattr(path[-1], kind))
        waiting.extend((*path, child) for child in reversed(path[-1].children))
    return found


def _read_values(
    root: Place, columns: list[Column], records: Sequence[tuple[Tree, Span]]
) -> None:
    for number, column in enumerate(columns):
        setattr(column.place, column.kind, str(number))
    fields = Fields(root, tuple(map(str, range(len(columns)))))
    for tree, span in records:
        for name, value in fields.read(tree, span).items():
            column = columns[int(name)]
            column.values.extend(value if isinstance(value, list) else [value])
            column.records += 1


def _is_worth_a_column(column: Column) -> bool:
    """Whether a column says anything: not the signs between values, nor an address that
    is the same in all records.
    """
    if not column.values:
        return False
    if column.kind == "text":
        return any(
            says_something(value) or is_rating([value], "") for value in column.values
        )
    if all(value.startswith(_NO_ADDRESS) for value in column.values):
        return False
    return column.variety > 0.5 or len(set(column.values)) > 2 or column.records == 1


def _without_twins(columns: list[Column]) -> list[Column]:
    """The columns without links and images that only repeat another one, as the image
    of a card links where its title does.

    Of the same links that at a text is kept, or else the first.
    """
    texts = [column for column in columns if column.kind == "text"]
    kept: dict[tuple[str, ...], Column] = {}
    for column in columns:
        if column.kind == "text":
            continue
        key = (column.kind, *column.values)
        if key not in kept or (
            not _has_text(kept[key], texts) and _has_text(column, texts)
        ):
            kept[key] = column
    return [
        column
        for column in columns
        if column.kind == "text" or kept[column.kind, *column.values] is column
    ]


def _has_text(link: Column, texts: list[Column]) -> bool:
    return any(_belongs(link, text) for text in texts)


def _names(columns: list[Column], records: int) -> dict[Column, str]:
    """The name of each column, in reading order."""
    known = dict(_recognised(columns, records))
    names: dict[Column, str] = {}
    numbered = 0
    for column in columns:
        if column.kind != "text":
            continue
        if column in known:
            names[column] = known[column]
        else:
            numbered += 1
            names[column] = f"column_{numbered}"
    taken = set(known.values()) | set(names.values())
    for column in columns:
        if column in known:
            names[column] = known[column]
        elif column.kind != "text":
            of = next(
                (
                    other
                    for other in columns
                    if other.kind == "text" and _belongs(column, other)
                ),
                None,
            )
            wanted = f"{names[of]}_{column.kind}" if of is not None else column.kind
            names[column] = _free(wanted, taken)
            taken.add(names[column])
    return {column: names[column] for column in columns}


def _free(wanted: str, taken: set[str]) -> str:
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _belongs(link: Column, text: Column) -> bool:
    """Whether a link or image is that of a text: the same place, or one inside the
    other.
    """
    shorter = min(len(link.path), len(text.path))
    return link.path[:shorter] == text.path[:shorter]


def _recognised(columns: list[Column], records: int) -> Iterable[tuple[Column, str]]:
    texts = [
        column for column in columns if column.kind == "text" and not column.repeats
    ]
    links = [column for column in columns if column.kind == "link"]
    images = [
        column for column in columns if column.kind == "image" and not column.repeats
    ]
    title = max(
        texts, key=lambda column: _title_score(column, links, records), default=None
    )
    if title is not None and _title_score(title, links, records) > 0:
        yield title, "title"
        texts.remove(title)
    own = [link for link in links if title is not None and _belongs(link, title)]
    single = [link for link in links if not link.repeats]
    if link := _best(own, records, longest=True) or _best(single, records):
        yield link, "link"
    if image := _best(images, records):
        yield image, "image"
    tests: dict[str, Callable[[Column], bool]] = {
        "price": lambda column: is_price(column.values),
        "date": lambda column: is_date(column.values),
        "rating": lambda column: is_rating(column.values, column.class_names),
    }
    for name, test in tests.items():
        fitting = [
            column
            for column in texts
            if test(column) and (len(set(column.values)) > 1 or column.records == 1)
        ]
        if fitting:
            best = max(fitting, key=lambda column: column.records)
            yield best, name
            texts.remove(best)
    own_words = [
        column
        for column in texts
        if column.variety > 0.5 and not is_address(column.values)
    ]
    long = [column for column in own_words if column.length >= _LONG_TEXT]
    if long:
        yield max(long, key=lambda column: column.length * column.records), "snippet"


def _best(
    columns: list[Column], records: int, *, longest: bool = False
) -> Column | None:
    """The column that most records have, with values of their own; of equals the
    longest (`/owner/name`) or the first.
    """
    return max(
        columns,
        key=lambda column: (
            column.variety * column.records / records,
            column.length if longest else 0,
        ),
        default=None,
    )


def _title_score(column: Column, links: list[Column], records: int) -> float:
    """How much a column is like a title: most records have one of their own, as a
    heading or a link, a few words long.
    """
    coverage = column.records / records
    lettered = sum(any(map(str.isalpha, value)) for value in column.values) / max(
        len(column.values), 1
    )
    if (
        coverage < 0.5
        or lettered < 0.5
        or is_address(column.values)
        or is_date(column.values)
        or is_price(column.values)
    ):
        return 0.0
    marks = 1.0
    marks += 1.0 if column.tags() & HEADING.names else 0.0
    marks += max((_link_mark(link, column) for link in links), default=0.0)
    names = column.class_names.lower()
    marks += 0.7 if any(name in names for name in _TITLE_NAMES) else 0.0
    marks -= 0.5 if any(name in names for name in _AUTHOR_NAMES) else 0.0
    shape = 1.0 if 8 <= column.length <= 160 else 0.6
    return coverage * column.variety * marks * shape


def _link_mark(link: Column, text: Column) -> float:
    """A title is in a link; a text that has a link in it may be one."""
    if not _belongs(link, text):
        return 0.0
    return 1.0 if len(link.path) <= len(text.path) else 0.5
