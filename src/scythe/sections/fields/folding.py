"""Which columns people want: not those of a single record, nor those that say the same
in all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from scythe.sections.fields.columns import UnnamedColumn

_RARE = 0.1
"""The share of the records that must have a column; not tuned. Of a page with fewer than
`_FEW` records every column is kept.
"""
_FEW = 5
_CONSTANT = 0.9
"""The share of a column's values that are the same if it is a label or a button. Dates
and amounts may be the same in all records by chance: labels have no digits.
"""
_MIN_CONSTANT = 3
"""Records from which a column that says the same in all is no value."""
_KEPT = frozenset({"title", "link", "image", "price", "date", "rating", "snippet"})


def folded_columns(
    names: Mapping[UnnamedColumn, str],
    records: int,
    labels: Collection[UnnamedColumn],
) -> set[UnnamedColumn]:
    """Return the columns that are left out unless they are asked for: rare ones, labels
    and buttons, copies, and the addresses of what is left out.
    """
    folded: set[UnnamedColumn] = set()
    texts = {column: name for column, name in names.items() if column.is_text}
    kept_first = sorted(texts, key=lambda column: texts[column] not in _KEPT)
    seen: list[set[tuple[int, str]]] = []
    for column in kept_first:
        values = set(zip(column.rows, column.values, strict=True))
        is_copy = any(values <= others for others in seen)
        seen.append(values)
        is_certain = column.header or column.declared
        if is_certain or texts[column] in _KEPT:
            continue
        if is_copy or column in labels or _is_uninformative(column, records):
            folded.add(column)
    folded_names = {texts[column] for column in folded}
    for column, name in names.items():
        if column.is_text or name in _KEPT:
            continue
        owner = name.removesuffix(f"_{column.kind}")
        if owner in folded_names or _is_rare(column, records):
            folded.add(column)
    return folded


def _is_uninformative(column: UnnamedColumn, records: int) -> bool:
    is_frequent = column.records >= _MIN_CONSTANT
    is_constant = is_frequent and column.main_share >= _CONSTANT
    if is_constant and any(map(str.isdigit, column.values[0])):
        is_constant = False
    return is_constant or _is_rare(column, records)


def _is_rare(column: UnnamedColumn, records: int) -> bool:
    if records < _FEW:
        return False
    return column.records < max(2, _RARE * records)
