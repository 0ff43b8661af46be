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

_HEADER_ATTRIBUTES = ("data-label", "data-title", "data-th")
"""Attributes by which cells repeat the header of their column for small screens."""
_SELECTOR_SIGNS = (".", "#")
"""How values of such attributes begin that are for scripts."""
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
    "text_text": "body",
    "article_body": "body",
    "review_body": "body",
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


def declared_header(elements: list[Instance]) -> str | None:
    """Return the header that most of the elements at a position carry themselves."""
    for attribute in _HEADER_ATTRIBUTES:
        header = _common_value(elements, attribute)
        if header and not header.startswith(_SELECTOR_SIGNS):
            return plain_name(_CAMEL.sub("_", header))
    return None


def declared_property(elements: list[Instance]) -> str | None:
    """Return the property of schema.org that most of the elements at a position hold."""
    properties = _common_value(elements, "itemprop")
    if not properties or properties.isspace():
        return None
    plain = plain_name(_CAMEL.sub("_", properties.split()[0]))
    return _SCHEMA_NAMES.get(plain, plain)


def are_items(elements: list[Instance]) -> bool:
    """Return whether most of the elements at a position are a thing of their own, with
    properties inside.
    """
    items = 0
    for element in elements:
        nodes = element.record.tree.with_attribute("itemscope")
        items += element.record.start + element.node in nodes
    return items >= _DECLARED * len(elements) > 0


def _common_value(elements: list[Instance], attribute: str) -> str | None:
    counts: Counter[str] = Counter()
    for element in elements:
        values = element.record.tree.with_attribute(attribute)
        value = values.get(element.record.start + element.node)
        if value:
            counts[value] += 1
    value, count = next(iter(counts.most_common(1)), (None, 0))
    return value if count >= _DECLARED * len(elements) else None


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
    values = set(column.values)
    if len(values) != 1 or column.records < _MIN_LABELLED:
        return False
    value = column.values[0]
    if len(value) > _MAX_NAME:
        return False
    if value.endswith((":", "\uff1a")):
        return True
    return column.position.tag in _LABEL_TAGS
