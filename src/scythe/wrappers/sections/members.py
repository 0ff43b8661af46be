"""What speaks for a single record of a group: how like it is to the others.

A list page puts advertisements, headings, "more results" and empty cells among its
records, often with the same tags. A group is found as a whole; then each of its members
is asked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.wrappers.sections.facts import Facts
from scythe.wrappers.sections.groups import Group
from scythe.wrappers.sections.likeness import jaccard, shapes_of

MEMBER_TRAITS = (
    "like_usual", "has_usual", "tags_like_middle", "classes_like_usual", "words_to_median", "words", "median_words",
    "elements_to_median", "usual_parent", "usual_tag", "twin", "first", "last", "place", "records", "group_alike",
    "link_word_share", "group_link_word_share", "group_links", "links", "headings", "images", "numbers", "prices", "dates",
)  # fmt: skip


def member_rows(facts: Facts, group: Group) -> NDArray[np.float32]:
    """The traits of every member, as rows of features with a column for each member."""
    held = {
        name: (sums[group.stops] - sums[group.starts]).astype(np.float64)
        for name, sums in facts.sums.items()
    }
    words, number = held["words"], len(group.spans)
    shapes = shapes_of(facts.shape, group.starts, group.stops)
    tags = shapes_of(facts.tag_shape, group.starts, group.stops)
    usual = shapes.mean(axis=0) >= 0.5
    like_usual = jaccard(shapes, usual)
    order = np.arange(number)
    traits = {
        "like_usual": like_usual,
        "has_usual": np.count_nonzero(shapes & usual, axis=1)
        / max(np.count_nonzero(usual), 1),
        "tags_like_middle": jaccard(tags, tags[number // 2]),
        "classes_like_usual": _class_likeness(facts, group),
        "words_to_median": np.log((words + 1) / (np.median(words) + 1)),
        "words": words,
        "median_words": np.full(number, np.median(words)),
        "elements_to_median": np.log(
            (held["elements"] + 1) / (np.median(held["elements"]) + 1)
        ),
        "usual_parent": _is_most_common(facts.tree.parent[group.starts]),
        "usual_tag": _is_most_common(facts.tree.tag[group.starts]),
        "twin": _has_twin(facts, group),
        "first": np.minimum(order, 5),
        "last": np.minimum(number - 1 - order, 5),
        "place": order / number,
        "records": np.full(number, number),
        "group_alike": np.full(number, like_usual.mean()),
        "link_word_share": held["link_words"] / np.maximum(words, 1),
        "group_link_word_share": np.full(
            number, held["link_words"].sum() / max(words.sum(), 1)
        ),
        "group_links": np.full(number, (held["links"] > 0).mean()),
    }
    for name in ("links", "headings", "images", "numbers", "prices", "dates"):
        has = held[name] > 0
        traits[name] = has - has.mean()
    return np.array([traits[name] for name in MEMBER_TRAITS], dtype=np.float32)


def _class_likeness(facts: Facts, group: Group) -> NDArray[np.float64]:
    named = [set(facts.classes.get(start, ())) for start in group.starts.tolist()]
    counts: dict[str, int] = {}
    for names in named:
        for name in names:
            counts[name] = counts.get(name, 0) + 1
    usual = {name for name, count in counts.items() if 2 * count >= len(named)}
    return np.array(
        [
            len(names & usual) / len(names | usual) if names | usual else 1.0
            for names in named
        ]
    )


def _is_most_common(values: NDArray[np.integer]) -> NDArray[np.bool_]:
    kinds, counts = np.unique(values, return_counts=True)
    return np.asarray(values == kinds[np.argmax(counts)])


def _has_twin(facts: Facts, group: Group) -> NDArray[np.bool_]:
    """Whether another member has the very same text: a carousel's copy, or a label
    rather than a record.
    """
    tree = facts.tree
    texts = [
        "".join(tree.text[span.start : min(span.stop, span.start + 400)].tolist())
        for span in group.spans
    ]
    numbers = np.unique(np.array(texts, dtype=object).astype(str), return_inverse=True)[
        1
    ]
    return np.asarray(np.bincount(numbers)[numbers] > 1)
