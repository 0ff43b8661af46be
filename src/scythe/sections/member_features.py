"""What speaks for a single record of a candidate: how like it is to the others.

A list page puts advertisements, headings, "more results" and empty cells among its
records, often with the same tags. A candidate is found as a whole; then each of its
members is asked.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from scythe.sections.candidates import CandidateSection
from scythe.sections.page_statistics import (
    PageStatistics,
    jaccard,
    shape_table,
)

MEMBER_FEATURES = (
    "like_usual", "has_usual", "tags_like_middle", "classes_like_usual",
    "words_to_median", "words", "median_words", "elements_to_median", "usual_parent",
    "usual_tag", "twin", "first", "last", "place", "records", "group_alike",
    "link_word_share", "group_link_word_share", "group_links", "links", "headings",
    "images", "numbers", "prices", "dates",
)  # fmt: skip
"""The features of a member, in the order in which the models know them."""

MAX_TWIN_NODES = 400
"""Nodes of a member whose text is compared with that of the others: a bound on work,
not tuned.
"""


def member_feature_rows(
    statistics: PageStatistics, candidate: CandidateSection
) -> NDArray[np.float32]:
    """Return the features of every member, as rows with a column for each member."""
    starts = candidate.starts
    stops = candidate.stops
    counts = {}
    for name, sums in statistics.sums.items():
        record_counts = sums[stops] - sums[starts]
        counts[name] = record_counts.astype(np.float64)
    words = counts["words"]
    elements = counts["elements"]
    link_words = counts["link_words"]
    median_words = np.median(words)
    median_elements = np.median(elements)
    group_link_word_share = link_words.sum() / max(words.sum(), 1)
    has_links = counts["links"] > 0
    number = len(candidate.spans)
    order = np.arange(number)

    shapes = shape_table(statistics.shape, starts, stops)
    tags = shape_table(statistics.tag_shape, starts, stops)
    middle_tags = tags[number // 2]
    usual = shapes.mean(axis=0) >= 0.5
    like_usual = jaccard(shapes, usual)
    common_counts = np.count_nonzero(shapes & usual, axis=1)
    usual_count = max(np.count_nonzero(usual), 1)

    features = {
        "like_usual": like_usual,
        "has_usual": common_counts / usual_count,
        "tags_like_middle": jaccard(tags, middle_tags),
        "classes_like_usual": _class_likeness(statistics, candidate),
        "words_to_median": np.log((words + 1) / (median_words + 1)),
        "words": words,
        "median_words": np.full(number, median_words),
        "elements_to_median": np.log((elements + 1) / (median_elements + 1)),
        "usual_parent": _is_most_common(statistics.tree.parent[starts]),
        "usual_tag": _is_most_common(statistics.tree.tag[starts]),
        "twin": _has_twin(statistics, candidate),
        "first": np.minimum(order, 5),
        "last": np.minimum(number - 1 - order, 5),
        "place": order / number,
        "records": np.full(number, number),
        "group_alike": np.full(number, like_usual.mean()),
        "link_word_share": link_words / np.maximum(words, 1),
        "group_link_word_share": np.full(number, group_link_word_share),
        "group_links": np.full(number, has_links.mean()),
    }
    for name in ("links", "headings", "images", "numbers", "prices", "dates"):
        has_any = counts[name] > 0
        features[name] = has_any - has_any.mean()
    rows = [features[name] for name in MEMBER_FEATURES]
    return np.array(rows, dtype=np.float32)


def _class_likeness(
    statistics: PageStatistics, candidate: CandidateSection
) -> NDArray[np.float64]:
    """Return the share of class names that each member has in common with most."""
    names_of_members = []
    counts: Counter[str] = Counter()
    for start in candidate.starts.tolist():
        names = set(statistics.classes.get(start, ()))
        names_of_members.append(names)
        counts.update(names)
    half = len(names_of_members) / 2
    usual = {name for name, count in counts.items() if count >= half}

    shares = []
    for names in names_of_members:
        common = len(names & usual)
        either = len(names | usual)
        shares.append(common / either if either else 1.0)
    return np.array(shares)


def _is_most_common(values: NDArray[np.integer]) -> NDArray[np.bool_]:
    kinds, counts = np.unique(values, return_counts=True)
    most_common = kinds[np.argmax(counts)]
    return np.asarray(values == most_common)


def _has_twin(
    statistics: PageStatistics, candidate: CandidateSection
) -> NDArray[np.bool_]:
    """Return whether another member has the very same text: a carousel's copy, or a
    label rather than a record.
    """
    node_texts = statistics.tree.text
    texts = []
    for start, stop in candidate.spans:
        last = min(stop, start + MAX_TWIN_NODES)
        parts = node_texts[start:last].tolist()
        texts.append("".join(parts))
    array = np.array(texts, dtype=object).astype(str)
    _, numbers = np.unique(array, return_inverse=True)
    text_counts = np.bincount(numbers)
    return np.asarray(text_counts[numbers] > 1)
