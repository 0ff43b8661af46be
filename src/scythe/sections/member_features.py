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
from scythe.sections.members import Members, mean
from scythe.sections.page_statistics import ClassNames, PageStatistics

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


def member_feature_rows(members: Members) -> NDArray[np.float32]:
    """Return the features of every member of all candidates, as rows with a column for
    each member.
    """
    counts = members.counts
    words = counts["words"]
    elements = counts["elements"]
    link_words = counts["link_words"]
    median_words = members.repeated(members.medians(words))
    median_elements = members.repeated(members.medians(elements))
    group_words = np.maximum(members.totals(words), 1)
    group_link_word_shares = members.totals(link_words) / group_words
    group_link_shares = members.shares("links")
    number = members.repeated(members.sizes)
    begins = members.repeated(members.begins)
    order = np.arange(len(words)) - begins
    tree = members.statistics.tree

    features = {
        **_likeness(members),
        "classes_like_usual": _class_likeness(members),
        "words_to_median": np.log((words + 1) / (median_words + 1)),
        "words": words,
        "median_words": median_words,
        "elements_to_median": np.log((elements + 1) / (median_elements + 1)),
        "usual_parent": _is_usual(members, tree.parent),
        "usual_tag": _is_usual(members, tree.tag),
        "twin": _has_twin(members),
        "first": np.minimum(order, 5),
        "last": np.minimum(number - 1 - order, 5),
        "place": order / number,
        "records": number,
        "link_word_share": link_words / np.maximum(words, 1),
        "group_link_word_share": members.repeated(group_link_word_shares),
        "group_links": members.repeated(group_link_shares),
    }
    for name in ("links", "headings", "images", "numbers", "prices", "dates"):
        has_any = counts[name] > 0
        share = members.repeated(members.shares(name))
        features[name] = has_any - share
    rows = [features[name] for name in MEMBER_FEATURES]
    return np.array(rows, dtype=np.float32)


def _likeness(members: Members) -> dict[str, NDArray[np.float64]]:
    """Return how like each member is to what most of its candidate have, and to the one
    in the middle.
    """
    statistics = members.statistics
    rows: dict[str, list[NDArray[np.float64]]] = {
        "like_usual": [],
        "has_usual": [],
        "tags_like_middle": [],
    }
    alike = []
    for candidate in members.candidates:
        starts, stops = candidate.starts, candidate.stops
        usual = statistics.shapes.compare(starts, stops).usual()
        tags = statistics.tag_shapes.compare(starts, stops)
        rows["like_usual"].append(usual.likeness)
        rows["has_usual"].append(usual.share)
        rows["tags_like_middle"].append(tags.like(len(starts) // 2))
        alike.append(mean(usual.likeness))
    found = {name: np.concatenate(parts) for name, parts in rows.items()}
    return found | {"group_alike": members.repeated(np.array(alike))}


def _class_likeness(members: Members) -> NDArray[np.float64]:
    """Return the share of class names that each member has in common with most."""
    shares: list[float] = []
    for candidate in members.candidates:
        shares += _candidate_class_likeness(members.statistics, candidate)
    return np.array(shares)


def _candidate_class_likeness(
    statistics: PageStatistics, candidate: CandidateSection
) -> list[float]:
    names_of_members: list[ClassNames] = []
    for start in candidate.starts.tolist():
        names = statistics.classes.get(start, ())
        names_of_members.append(names)
    different = Counter(names_of_members)
    counts: Counter[str] = Counter()
    for names, times in different.items():
        for name in names:
            counts[name] += times
    half = len(names_of_members) / 2
    usual = {name for name, count in counts.items() if count >= half}
    shares = {}
    for names in different:
        shares[names] = _common_share(names, usual)
    return [shares[names] for names in names_of_members]


def _common_share(names: ClassNames, usual: set[str]) -> float:
    common = len(usual.intersection(names))
    either = len(usual.union(names))
    return common / either if either else 1.0


def _is_usual(members: Members, values: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which members have the value that most of their candidate have; the least
    of several.
    """
    found: list[bool] = []
    for candidate in members.candidates:
        own = values[candidate.starts].tolist()
        counts = Counter(own)
        most = max(counts.values())
        commonest = [value for value, count in counts.items() if count == most]
        usual = min(commonest)
        found += [value == usual for value in own]
    return np.array(found)


def _has_twin(members: Members) -> NDArray[np.bool_]:
    """Return whether another member has the very same text: a carousel's copy, or a
    label rather than a record. Only texts of one length are compared.
    """
    statistics = members.statistics
    last_nodes = np.minimum(members.stops, members.starts + MAX_TWIN_NODES)
    first = statistics.text_begins[members.starts]
    last = statistics.text_begins[last_nodes]
    lengths = last - first
    longest = int(lengths.max()) + 1
    keys = members.candidate_numbers * longest + lengths
    _, numbers, counts = np.unique(
        keys,
        return_inverse=True,
        return_counts=True,
    )
    compared = np.flatnonzero(counts[numbers] > 1)

    begins = first[compared].tolist()
    ends = last[compared].tolist()
    same_length = numbers[compared].tolist()
    members_of: dict[tuple[int, str], list[int]] = {}
    for member, number, begin, end in zip(
        compared.tolist(), same_length, begins, ends, strict=True
    ):
        key = (number, statistics.text[begin:end])
        members_of.setdefault(key, []).append(member)

    has_twin = np.zeros(len(keys), dtype=bool)
    for same in members_of.values():
        has_twin[same] = len(same) > 1
    return has_twin
