"""An example of a plug-in: a content method, a format of files and a kind of records."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scythe.content.selection import Selection
from scythe.templates.declared.schemas import Schema, SchemaField
from scythe.tree import Tree


def longest(tree: Tree) -> Selection:
    """Return the element whose children hold more text than those of any other."""
    lengths = np.array([len(text) for text in tree.text.tolist()])
    under_grandparent = np.zeros(len(tree))
    parents = np.maximum(tree.parent, 0)
    np.add.at(under_grandparent, parents[parents], lengths)
    best = int(under_grandparent.argmax())
    return Selection(tree.subtree(best) & tree.is_text, confidence=0.5)


def write_columns(
    path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> int:
    """Write rows as JSON, column by column; return how many there are."""
    values: dict[str, list[Any]] = {name: [] for name in columns}
    count = 0
    for row in rows:
        for name in columns:
            values[name].append(row.get(name))
        count += 1
    path.write_text(json.dumps(values, ensure_ascii=False, default=str))
    return count


FILM = Schema(
    name="Movie",
    types=("Movie",),
    fields=(
        SchemaField("title", "text", ("name",)),
        SchemaField("director", "person", ("director",), labels=("Directed by",)),
        SchemaField("cast", "lines", ("actor", "actors"), labels=("Starring",)),
        SchemaField("released", "date", ("datePublished",)),
        SchemaField("runtime", "duration", ("duration",), labels=("Running time",)),
    ),
    essential=("title", "director"),
)
