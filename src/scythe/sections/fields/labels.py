"""What the page itself calls its columns: labels before values, and names that elements
declare.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from scythe.sections.fields.columns import UnnamedColumn
from scythe.sections.fields.grouping import Instance
from scythe.sections.fields.value_parts import leading_label

_DECLARING_ATTRIBUTES = ("itemprop", "data-label", "data-title", "data-th")
"""Attributes by which elements say what their value is: schema.org's, and those that
tables carry for small screens.
"""
_DECLARED = 0.6
"""The share of the elements at a position that declare the same name; not tuned."""
_LABELLED = 0.7
"""The share of the values of a column that begin with the same label; not tuned."""
_LABEL_TAGS = frozenset({"dt", "th", "label"})
_MAX_NAME = 40
"""Characters of a name; longer ones are cut at a word. A bound, not tuned."""
_MIN_LABELLED = 2
"""Records that must show a label for it to be one."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SCHEMA_NAMES = {
    "date_published": "date",
    "date_created": "date",
    "upload_date": "date",
    "start_date": "date",
    "rating_value": "rating",
    "headline": "title",
}
_ADDRESS_NAMES = frozenset({"link", "image", "text", "source"})
"""Names that mean something else in records."""


def plain_name(text: str) -> str:
    """Return a header or label as the name of a column: lower case, words joined by
    `_`.
    """
    words = re.findall(r"\w+", text.lower().replace("_", " "))
    name = ""
    for word in words:
        longer = f"{name}_{word}" if name else word[:_MAX_NAME]
        if len(longer) > _MAX_NAME:
            break
        name = longer
    return f"{name}_text" if name in _ADDRESS_NAMES else name


def declared_name(elements: list[Instance]) -> str | None:
    """Return the name that most of the elements at a position declare."""
    for attribute in _DECLARING_ATTRIBUTES:
        counts: Counter[str] = Counter()
        for element in elements:
            tree = element.record.tree
            value = tree.with_attribute(attribute).get(
                element.record.start + element.node
            )
            if value:
                counts[value.split()[0] if attribute == "itemprop" else value] += 1
        for name, count in counts.most_common(1):
            if count >= _DECLARED * len(elements):
                plain = plain_name(_CAMEL.sub("_", name))
                return _SCHEMA_NAMES.get(plain, plain)
    return None


def column_labels(texts: list[UnnamedColumn]) -> dict[UnnamedColumn, str]:
    """Return what columns are called by labels: one that their values begin with, or
    one that stands before them in all records.
    """
    names = {}
    for column in texts:
        found = [leading_label(value) for value in column.values]
        pairs = zip(found, column.values, strict=True)
        labels = Counter(label for label, value in pairs if label != value)
        label, count = next(iter(labels.most_common(1)), (None, 0))
        if label and count >= _LABELLED * len(column.values):
            names[column] = plain_name(label)
    for label_column, column in _labelled_pairs(texts):
        names.setdefault(column, plain_name(label_column.values[0]))
    return {column: name for column, name in names.items() if name}


def label_columns(columns: list[UnnamedColumn]) -> set[UnnamedColumn]:
    """Return the columns that only say what the next one is."""
    texts = [column for column in columns if column.is_text]
    return {label for label, _ in _labelled_pairs(texts)}


def _labelled_pairs(
    texts: list[UnnamedColumn],
) -> list[tuple[UnnamedColumn, UnnamedColumn]]:
    """Return the columns of labels, each with the column that stands behind it."""
    pairs = []
    for label, column in pairwise(texts):
        common = min(len(label.path), len(column.path)) - 2
        is_beside = label.path[:common] == column.path[:common]
        if is_beside and _is_label(label) and not _is_label(column):
            pairs.append((label, column))
    return pairs


def _is_label(column: UnnamedColumn) -> bool:
    if len(set(column.values)) != 1 or column.records < _MIN_LABELLED:
        return False
    value = column.values[0]
    if len(value) > _MAX_NAME:
        return False
    return value.endswith((":", "\uff1a")) or column.position.tag in _LABEL_TAGS
