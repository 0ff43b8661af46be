"""The features of a candidate section as numbers, in the order in which the model knows
them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scythe.sections.candidates import CandidateKind, CandidateSection
from scythe.sections.members import Members, mean
from scythe.sections.page_statistics import PageStatistics
from scythe.tree.tags import CODES
from scythe.tree.tree import Tree

Features = dict[str, float]
FeatureColumns = dict[str, NDArray[np.float64]]
"""A value for each candidate, by the name of the feature."""

COMPARED_RECORDS = 60
"""Records of a candidate that are compared with each other: as many tell what it is
like. A bound on work, not tuned.
"""
COUNTED_RECORDS = 12
"""Records of a candidate whose children are counted: a bound on work, not tuned."""
COMPARED_SIBLINGS = 30
"""Siblings of an element that it is compared with: a bound on work, not tuned."""

_SPREAD_OF = ("links", "headings", "images", "elements", "texts", "inline", "items")
_SHARE_OF = (
    "links",
    "headings",
    "images",
    "items",
    "numbers",
    "prices",
    "dates",
    "sentences",
)


def section_features(members: Members) -> FeatureColumns:
    """Return the features of all candidates of a page; some compare a candidate with
    the others.
    """
    statistics = members.statistics
    rows = [_own_features(statistics, candidate) for candidate in members.candidates]
    columns = {**_amounts(members), **_first_links(members)}
    for name in rows[0]:
        values = [row[name] for row in rows]
        columns[name] = np.array(values, dtype=np.float64)
    return columns | _comparisons(members.candidates, columns)


def _own_features(statistics: PageStatistics, candidate: CandidateSection) -> Features:
    """Return the features of a candidate that are not counted for all at once."""
    return {
        **_likeness(statistics, candidate),
        **_location(statistics, candidate),
        **_form(statistics, candidate),
    }


def _amounts(members: Members) -> FeatureColumns:
    """Return how much text, links, pictures and other elements the records have, and
    how evenly.
    """
    counts = members.counts
    words = counts["words"]
    total_words = members.totals(words)
    link_words = members.totals(counts["link_words"])
    page_words = max(members.statistics.sums["words"][-1], 1)
    mean_words = members.means(words)
    mean_count = mean_words + 1e-9
    ordered = members.ordered(words)
    least = ordered[members.begins]
    most = ordered[members.ends - 1]
    features = {
        "records": np.minimum(members.sizes, 200).astype(np.float64),
        "log_records": np.log(members.sizes),
        "word_share": total_words / page_words,
        "words": np.log1p(mean_words),
        "words_spread": members.spreads(words) / mean_count,
        "words_least": np.log1p(least),
        "words_median": members.medians(words) / mean_count,
        "words_most": most / mean_count,
        "link_word_share": link_words / np.maximum(total_words, 1),
        "one_heading": members.means(counts["headings"] == 1),
    }
    for name in _SPREAD_OF:
        mean_count = members.means(counts[name])
        spread = members.spreads(counts[name])
        features[name] = np.log1p(mean_count)
        features[f"{name}_spread"] = spread / (mean_count + 1e-9)
    for name in _SHARE_OF:
        features[f"{name}_share"] = members.shares(name)
    return features


def _likeness(statistics: PageStatistics, candidate: CandidateSection) -> Features:
    """Return how alike neighbours are, and all of them to what most have."""
    starts = candidate.starts[:COMPARED_RECORDS]
    stops = candidate.stops[:COMPARED_RECORDS]
    spans = statistics.shapes.compare(starts, stops)
    like_next = spans.like_next()
    tags_like_next = statistics.tag_shapes.compare(starts, stops).like_next()
    like_usual = spans.usual().likeness
    is_unusual = like_usual < 0.3
    return {
        "like_next": mean(like_next),
        "like_next_least": float(like_next.min()),
        "tags_like_next": mean(tags_like_next),
        "tags_like_next_least": float(tags_like_next.min()),
        "like_usual": mean(like_usual),
        "unlike_usual": np.count_nonzero(is_unusual) / len(is_unusual),
    }


def _first_links(members: Members) -> FeatureColumns:
    """Return what the first link of each record is like: the title of a result is one,
    and each leads somewhere else.
    """
    statistics = members.statistics
    links = statistics.links
    words = statistics.sums["words"]
    indices = np.searchsorted(links, members.starts)
    next_indices = np.searchsorted(links, members.stops)
    has_link = indices < next_indices
    indices = indices[has_link]
    first = links[indices]
    number = members.candidate_numbers[has_link]
    size = len(members.candidates)
    addresses = statistics.address_numbers
    address_count = max(len(addresses), 1)
    keys = number * address_count + addresses[indices]
    targets = np.unique(keys)
    target_counts = np.bincount(targets // address_count, minlength=size)
    link_ends = statistics.tree.end[first]
    words_within = words[link_ends] - words[first]
    record_starts = members.starts[has_link]
    words_before = words[first] - words[record_starts]
    linked = np.bincount(number, minlength=size)
    return {
        "targets": target_counts / members.sizes,
        "link_words": _log_means(number, words_within, linked),
        "words_before_link": _log_means(number, words_before, linked),
    }


def _log_means(
    number: NDArray[np.int64], values: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return logarithms of means over each candidate; -1 where there are no values."""
    totals = np.bincount(number, values, len(counts))
    means = totals / np.maximum(counts, 1)
    return np.where(counts > 0, np.log1p(means), -1.0)


def _location(statistics: PageStatistics, candidate: CandidateSection) -> Features:
    """Return where on the page the candidate is, and how much of its surroundings it
    fills.
    """
    tree = statistics.tree
    words = statistics.sums["words"]
    first = int(candidate.starts[0])
    last = int(candidate.stops[-1])
    home = common_ancestor(tree, candidate)
    siblings = _like_siblings(statistics, home)
    words_before = words[candidate.starts]
    words_behind = words[candidate.stops]
    record_words = int((words_behind - words_before).sum())
    page_words = max(int(words[-1]), 1)
    home_end = tree.end[home]
    home_words = max(int(words[home_end] - words[home]), 1)
    begin, end = int(words[first]), int(words[last])
    twice_centre = (begin + end) / page_words
    depth = int(tree.depth[first])
    return {
        "fills_home": record_words / home_words,
        "home_share": home_words / page_words,
        "dense": record_words / max(end - begin, 1),
        "begins": begin / page_words,
        "ends": end / page_words,
        "off_centre": abs(twice_centre - 1) / 2,
        "first_node": first / len(tree),
        "depth": depth,
        "depth_in_home": depth - int(tree.depth[home]),
        "furniture": float(statistics.furniture[first]),
        "homes": float(np.log1p(len(siblings))),
        "homes_alike": _mean_likeness(statistics, home, siblings),
        **_left_out(statistics, candidate),
    }


def common_ancestor(tree: Tree, candidate: CandidateSection) -> int:
    """Return the candidate's home: the lowest element that has all its records below
    it.
    """
    first = int(candidate.starts[0])
    last = int(candidate.starts[-1])
    ancestor = int(tree.parent[first])
    while last >= tree.end[ancestor]:
        ancestor = int(tree.parent[ancestor])
    return ancestor


def _like_siblings(statistics: PageStatistics, node: int) -> list[int]:
    """Return the filled siblings of the same tag."""
    tree = statistics.tree
    parent = int(tree.parent[node])
    if parent < 0:
        return []
    tag = tree.tag[node]
    return [
        sibling
        for sibling in statistics.filled_children(parent)
        if sibling != node and tree.tag[sibling] == tag
    ]


def _mean_likeness(
    statistics: PageStatistics, node: int, others: Sequence[int]
) -> float:
    """Return how alike an element is to others. Where a list's home has siblings like
    it, it is itself one of several records, or one of several lists.
    """
    if not others:
        return 0.0
    compared = others[:COMPARED_SIBLINGS]
    nodes = np.array([node, *compared])
    ends = statistics.tree.end[nodes].astype(np.int64)
    likeness = statistics.tag_shapes.compare(nodes, ends).like(0)
    return mean(likeness[1:])


def _left_out(statistics: PageStatistics, candidate: CandidateSection) -> Features:
    """Return what the records' parents have besides them: a candidate that leaves out
    its like is not whole.
    """
    tree = statistics.tree
    starts = candidate.starts
    taken = set(starts.tolist())
    others: list[int] = []
    if candidate.kind is not CandidateKind.RUNS:
        parents = tree.parent[starts[:COMPARED_RECORDS]]
        for parent in sorted(set(parents.tolist())):
            filled = statistics.filled_children(parent)
            others += [child for child in filled if child not in taken]

    number = len(candidate.spans)
    first = int(starts[0])
    last = int(candidate.stops[-1])
    others_inside = [other for other in others if first < other < last]
    inside = len(others_inside)
    middle = int(starts[number // 2])
    return {
        "left_out": len(others) / number,
        "left_out_inside": inside / number,
        "left_out_alike": _mean_likeness(statistics, middle, others),
    }


def _form(statistics: PageStatistics, candidate: CandidateSection) -> Features:
    """Return of which kind the candidate is, and the element that a record is."""
    tree = statistics.tree
    counted = candidate.starts[:COUNTED_RECORDS].tolist()
    child_counts = [len(statistics.filled_children(start)) for start in counted]
    features = {
        "by_class": float(candidate.by_class),
        "children": float(np.log1p(sum(child_counts) / len(child_counts))),
    }
    for kind in CandidateKind:
        features[kind.value] = float(candidate.kind is kind)
    first = candidate.starts[0]
    first_tag = tree.tag[first]
    for name in ("li", "tr", "div", "td"):
        features[f"is_{name}"] = float(first_tag == CODES[name])
    return features


def _comparisons(
    candidates: Sequence[CandidateSection], columns: FeatureColumns
) -> FeatureColumns:
    """Return how a candidate stands among the others: the largest by words and number,
    and whether another holds it.
    """
    words = columns["word_share"]
    numbers = columns["records"]
    first_spans = [candidate.spans[0] for candidate in candidates]
    last_spans = [candidate.spans[-1] for candidate in candidates]
    starts = np.array([span.start for span in first_spans])
    first_ends = np.array([span.stop for span in first_spans])
    ends = np.array([span.stop for span in last_spans])
    is_other = ~np.eye(len(candidates), dtype=bool)
    starts_before = starts <= starts[:, None]
    ends_behind = first_ends >= ends[:, None]
    holds = starts_before & ends_behind & is_other
    starts_after = starts >= starts[:, None]
    ends_before = ends <= first_ends[:, None]
    is_held = starts_after & ends_before & is_other
    largest_holder = np.where(holds, numbers, 0.0).max(axis=1)
    largest_held = np.where(is_held, numbers, 0.0).max(axis=1)
    most_words = max(words.max(), 1e-9)
    return {
        "words_of_most": words / most_words,
        "records_of_most": numbers / numbers.max(),
        "holders": np.log1p(largest_holder),
        "held": np.log1p(largest_held),
    }
