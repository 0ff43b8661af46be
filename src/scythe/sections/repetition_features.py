"""What the repetition of a page says about each of its texts, as numbers for a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scythe.sections.repetition import Floats, Hashes, Ints, Repetition, mix
from scythe.tree.tree import Tree

NAMES = (
    "is in a record",
    "is in the main section",
    "section weight",
    "section weight to main",
    "section records",
    "section word share",
    "section link share",
    "section parents",
    "section word spread",
    "record words",
    "record words to mean",
    "record index",
    "records before",
    "records after",
    "record has usual",
    "words before in record",
    "words after in record",
    "same path share",
    "same path per record",
    "same path words",
    "same path word share",
    "same path words to most",
    "same path distinct texts",
    "same path links",
    "main weight",
    "main records",
    "main word share",
    "words before main",
    "words after main",
    "between main records",
)
"""One row of `repetition_rows` each.

"Section" is the heaviest group of like elements around the text, "record" the element
of that group that the text stands in. "Same path" compares the text with those that
stand at the same path in the other records: the share of records that have any, how
many each has, how long they are, which share of the section's words they hold, the
same against the path that holds most (the body of a post has 1, its date little), how
many of them differ (a button has few texts, a date many), and how many are links.
"""

USUAL_SHARE = 0.5
"""The share of records from which a path is usual; the more likely of the two."""

MAX_INDEX = 5
"""Records before and after are counted up to this many: the first and the last of a
list are unlike the others. A bound, not tuned.
"""


def repetition_rows(tree: Tree, nodes: Ints, words: Ints) -> NDArray[np.float32]:
    """Return a row for each of `NAMES` with a column for each text of a page.

    `nodes` are the first text nodes of the texts in document order, `words` their
    lengths in words. The cost is about that of parsing the page.
    """
    own_nodes = nodes.astype(np.int64)
    page = Repetition(tree, own_nodes, words.astype(np.int64))
    rows = {name: np.zeros(len(nodes)) for name in NAMES}
    if page.main_group >= 0:
        _add_main_section(page, rows)
        is_repeated = page.records >= 0
        if is_repeated.any():
            for name, values in _record_values(page, is_repeated).items():
                rows[name][is_repeated] = values
    return np.array([rows[name] for name in NAMES], dtype=np.float32)


def _add_main_section(page: Repetition, rows: dict[str, Floats]) -> None:
    """Set what is known of the main section, and where each text stands to it."""
    groups = page.groups
    main = page.main_group
    page_words = max(int(page.word_sums[-1]), 1)
    rows["main weight"][:] = groups.weight[main]
    records = np.log1p(groups.count[main])
    rows["main records"][:] = records
    rows["main word share"][:] = groups.words[main] / page_words

    low = int(np.searchsorted(page.nodes, groups.first[main]))
    high = int(np.searchsorted(page.nodes, groups.stop[main]))
    sums = page.word_sums
    words_before = sums[low] - sums[:low]
    words_after = sums[high + 1 :] - sums[high]
    rows["words before main"][:low] = words_before / page_words
    rows["words after main"][high:] = words_after / page_words
    is_outside = page.group_of[low:high] != main
    rows["between main records"][low:high] = is_outside


@dataclass(frozen=True, eq=False)
class _Records:
    """The texts that stand in records, and the records they stand in, numbered in the
    order of the page within each section.
    """

    page: Repetition
    texts: Ints
    """The texts, as indices into those of the page."""

    def record_numbers(self) -> tuple[Ints, Ints]:
        """Return the different records and which of them each text stands in."""
        records, number = np.unique(self.page.records[self.texts], return_inverse=True)
        return records, number

    def path_numbers(self) -> Ints:
        """Return a number for each text that stands for its section and its path: the
        members of a section share the path above them.
        """
        page = self.page
        parents = page.tree.parent[page.nodes[self.texts]]
        groups = page.group_of[self.texts].astype(np.uint64)
        with np.errstate(over="ignore"):
            paths: Hashes = mix(page.paths[parents], page.class_numbers[parents])
            keys = mix(paths, groups)
        _, numbers = np.unique(keys, return_inverse=True)
        return np.asarray(numbers)


def _record_values(page: Repetition, chosen: NDArray[np.bool_]) -> dict[str, Floats]:
    """Return what is known of the texts in records, of their records and sections."""
    texts = np.flatnonzero(chosen)
    inside = _Records(page, texts)
    groups = page.groups
    group = page.group_of[texts]
    page_words = max(int(page.word_sums[-1]), 1)
    main_weight = groups.weight[page.main_group]
    weight = groups.weight[group]
    section = {
        "is in a record": np.ones(len(texts)),
        "is in the main section": (group == page.main_group).astype(np.float64),
        "section weight": weight,
        "section weight to main": weight / max(main_weight, 1e-9),
        "section records": np.log1p(groups.count[group]),
        "section word share": groups.words[group] / page_words,
        "section link share": groups.link_share[group],
        "section parents": groups.parents[group] / groups.count[group],
    }
    return {
        **section,
        **_own_record_values(inside, group),
        **_path_values(inside, group),
    }


def _own_record_values(inside: _Records, group: Ints) -> dict[str, Floats]:
    """Return what is known of the record that each text stands in."""
    page = inside.page
    groups = page.groups
    records, number = inside.record_numbers()
    record_words = page.member_words(records).astype(np.float64)
    record_group = page.best_group[records]
    group_count = len(groups.count)
    size = np.bincount(record_group, minlength=group_count)
    total = np.bincount(
        record_group,
        record_words,
        group_count,
    )
    mean_words = total / np.maximum(size, 1)
    deviation = np.abs(record_words - mean_words[record_group])
    mean_deviation = np.bincount(
        record_group,
        deviation,
        group_count,
    )
    spread = mean_deviation / np.maximum(total, 1)

    by_group = np.argsort(record_group, kind="stable")
    first_of_group = np.cumsum(size) - size
    index = np.empty(len(records), dtype=np.int64)
    index_on_page = np.arange(len(records))
    first_of_own_group = first_of_group[record_group[by_group]]
    index[by_group] = index_on_page - first_of_own_group
    after = size[record_group] - 1 - index

    sums = page.word_sums
    low = np.searchsorted(page.nodes, records)
    words_before = sums[inside.texts] - sums[low[number]]
    text_words = page.words[inside.texts]
    words_after = record_words[number] - words_before - text_words
    return {
        "section word spread": spread[group],
        "record words": np.log1p(record_words[number]),
        "record words to mean": record_words[number] / (mean_words[group] + 1),
        "record index": index[number] / np.maximum(size[group], 1),
        "records before": np.minimum(index[number], MAX_INDEX).astype(np.float64),
        "records after": np.minimum(after[number], MAX_INDEX).astype(np.float64),
        "words before in record": np.log1p(words_before),
        "words after in record": np.log1p(np.maximum(words_after, 0)),
    }


def _path_values(inside: _Records, group: Ints) -> dict[str, Floats]:
    """Return how each text compares with those at the same path in other records."""
    page = inside.page
    groups = page.groups
    records, number = inside.record_numbers()
    path = inside.path_numbers()
    path_count = int(path.max()) + 1
    words = page.words[inside.texts].astype(np.float64)
    group_of_path = np.zeros(path_count, dtype=np.int64)
    group_of_path[path] = group

    texts_at = np.bincount(path, minlength=path_count)
    words_at = np.bincount(
        path,
        words,
        path_count,
    )
    links_at = np.bincount(
        path,
        page.is_linked[inside.texts],
        path_count,
    )
    pairs = np.unique(path * len(records) + number)
    path_of_pair = pairs // len(records)
    records_at = np.bincount(path_of_pair, minlength=path_count)
    distinct = _distinct_texts(inside, path)

    share = records_at / groups.count[group_of_path]
    most_words = np.zeros(len(groups.count))
    np.maximum.at(most_words, group_of_path, words_at)
    is_usual = share >= USUAL_SHARE
    usual_in_group = np.bincount(group_of_path, is_usual, len(groups.count))
    usual_in_record = np.bincount(
        pairs % len(records), is_usual[path_of_pair], len(records)
    )
    return {
        "record has usual": usual_in_record[number]
        / np.maximum(usual_in_group[group], 1),
        "same path share": share[path],
        "same path per record": np.log1p(texts_at / np.maximum(records_at, 1))[path],
        "same path words": np.log1p(words_at / texts_at)[path],
        "same path word share": words_at[path] / np.maximum(groups.words[group], 1),
        "same path words to most": words_at[path] / np.maximum(most_words[group], 1),
        "same path distinct texts": distinct[path] / texts_at[path],
        "same path links": links_at[path] / texts_at[path],
    }


def _distinct_texts(inside: _Records, path: Ints) -> Ints:
    """Return how many different texts stand at each path."""
    page = inside.page
    numbers: dict[str, int] = {}
    nodes = page.nodes[inside.texts]
    raw_texts = page.tree.text[nodes].tolist()
    text_numbers = [
        numbers.setdefault(text.strip(), len(numbers)) for text in raw_texts
    ]
    pairs = np.unique(path * len(numbers) + np.array(text_numbers))
    return np.bincount(pairs // len(numbers), minlength=int(path.max()) + 1)
