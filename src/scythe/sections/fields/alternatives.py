"""Columns that hold one field between them: the price of a card stands in `ins` where it
is reduced, and elsewhere without.
"""

from __future__ import annotations

from collections.abc import Callable

from scythe.kinds import is_date, is_price, is_rating
from scythe.sections.fields.columns import ColumnKind, UnnamedColumn
from scythe.tree.tags import HEADING

ColumnNames = dict[UnnamedColumn, str]

_STRUCK = frozenset({"del", "s", "strike"})
_FORMER_NAMES = ("old", "was", "former", "previous", "strike", "compare", "msrp", "rrp")


def is_former_price(column: UnnamedColumn) -> bool:
    """Return whether a price is struck out, or class names say that it holds no more."""
    if column.tags() & _STRUCK:
        return True
    names = column.class_names.lower()
    words = names.replace("_", "-").replace("-", " ").split()
    return any(word.startswith(_FORMER_NAMES) for word in words)


def join_alternatives(names: ColumnNames) -> None:
    """Give columns that no record has beside the title, price, date or rating, and that
    hold what these hold, their names, so that no record misses what it shows.
    """
    for role, holds_the_same in _ROLES.items():
        main = _column_of(role, names)
        if main is None:
            continue
        taken = set(main.rows)
        for column in list(names):
            if column is main or not column.is_text or column.repeats:
                continue
            if column.header or not taken.isdisjoint(column.rows):
                continue
            if holds_the_same(column, main):
                taken.update(column.rows)
                names[column] = role
                if role == "title":
                    _join_link(column, names)


def _join_link(title: UnnamedColumn, names: ColumnNames) -> None:
    """Give the link of another title the name of the link, where no record has both."""
    main = _column_of("link", names)
    if main is None:
        return
    for column in list(names):
        is_other_link = column.kind is ColumnKind.LINK and column is not main
        if not is_other_link or not column.belongs_to(title):
            continue
        if set(main.rows).isdisjoint(column.rows):
            names[column] = "link"
            return


def _column_of(name: str, names: ColumnNames) -> UnnamedColumn | None:
    for column, own in names.items():
        if own == name:
            return column
    return None


def _is_like_title(column: UnnamedColumn, title: UnnamedColumn) -> bool:
    """Return whether a column is a heading where the title is one, and else ends in the
    same elements of the same classes.
    """
    is_heading = bool(column.tags() & HEADING.names)
    if title.tags() & HEADING.names:
        return is_heading
    last = column.position
    last_of_title = title.position
    if last.tag != last_of_title.tag or not last.classes:
        return False
    return last.classes == last_of_title.classes


_ROLES: dict[str, Callable[[UnnamedColumn, UnnamedColumn], bool]] = {
    "title": _is_like_title,
    "price": lambda column, _: is_price(column.values) and not is_former_price(column),
    "date": lambda column, _: is_date(column.values),
    "rating": lambda column, _: is_rating(column.values, column.class_names),
}
"""Fields that may stand in several positions, and which columns hold the same."""
