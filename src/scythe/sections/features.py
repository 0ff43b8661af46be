"""The features of a candidate section as numbers, in the order in which the model knows
them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scythe.sections.candidates import CandidateKind, CandidateSection
from scythe.sections.page_statistics import (
    PageStatistics,
    jaccard,
    shape_table,
)
from scythe.tree.tags import CODES
from scythe.tree.tree import Tree

Features = dict[str, float]

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


def section_features(
    statistics: PageStatistics, candidates: Sequence[CandidateSection]
) -> list[Features]:
    """Return the features of all candidates of a page; some compare a candidate with
    the others.
    """
    features = [_own_features(statistics, candidate) for candidate in candidates]
    _add_comparisons(candidates, features)
    return features


def _own_features(statistics: PageStatistics, candidate: CandidateSection) -> Features:
    """Return the features of a candidate that need no other candidate."""
    return {
        **_amounts(statistics, candidate),
        **_likeness(statistics, candidate),
        **_first_links(statistics, candidate),
        **_location(statistics, candidate),
        **_form(statistics, candidate),
    }


def _amounts(statistics: PageStatistics, candidate: CandidateSection) -> Features:
    """Return how much text, links, pictures and other elements the records have, and
    how evenly.
    """
    counts = {}
    for name, sums in statistics.sums.items():
        before = sums[candidate.starts]
        behind = sums[candidate.stops]
        counts[name] = (behind - before).astype(np.float64)
    words = counts["words"]
    total_words = words.sum()
    link_words = counts["link_words"].sum()
    page_words = max(statistics.sums["words"][-1], 1)
    mean_words = words.mean()
    mean = mean_words + 1e-9
    has_one_heading = counts["headings"] == 1
    number = len(candidate.spans)
    features = {
        "records": min(number, 200),
        "log_records": np.log(number),
        "word_share": total_words / page_words,
        "words": np.log1p(mean_words),
        "words_spread": words.std() / mean,
        "words_least": np.log1p(words.min()),
        "words_median": np.median(words) / mean,
        "words_most": words.max() / mean,
        "link_word_share": link_words / max(total_words, 1),
        "one_heading": has_one_heading.mean(),
    }
    for name in _SPREAD_OF:
        mean_count = counts[name].mean()
        spread = counts[name].std()
        features[name] = np.log1p(mean_count)
        features[f"{name}_spread"] = spread / (mean_count + 1e-9)
    for name in _SHARE_OF:
        has_any = counts[name] > 0
        features[f"{name}_share"] = has_any.mean()
    return features


def _likeness(statistics: PageStatistics, candidate: CandidateSection) -> Features:
    """Return how alike neighbours are, and all of them to what most have."""
    starts = candidate.starts[:COMPARED_RECORDS]
    stops = candidate.stops[:COMPARED_RECORDS]
    shapes = shape_table(statistics.shape, starts, stops)
    tags = shape_table(statistics.tag_shape, starts, stops)
    like_next = jaccard(shapes[:-1], shapes[1:])
    tags_like_next = jaccard(tags[:-1], tags[1:])
    usual = shapes.mean(axis=0) >= 0.5
    like_usual = jaccard(shapes, usual)
    is_unusual = like_usual < 0.3
    return {
        "like_next": like_next.mean(),
        "like_next_least": like_next.min(),
        "tags_like_next": tags_like_next.mean(),
        "tags_like_next_least": tags_like_next.min(),
        "like_usual": like_usual.mean(),
        "unlike_usual": is_unusual.mean(),
    }


def _first_links(statistics: PageStatistics, candidate: CandidateSection) -> Features:
    """Return what the first link of each record is like: the title of a result is one,
    and each leads somewhere else.
    """
    links = statistics.links
    words = statistics.sums["words"]
    indices = np.searchsorted(links, candidate.starts)
    next_indices = np.searchsorted(links, candidate.stops)
    has_link = indices < next_indices
    indices = indices[has_link]
    first = links[indices]
    targets = {statistics.addresses[index] for index in indices.tolist()}
    features = {
        "targets": len(targets) / len(candidate.spans),
        "link_words": -1.0,
        "words_before_link": -1.0,
    }
    if len(first):
        record_starts = candidate.starts[has_link]
        link_ends = statistics.tree.end[first]
        words_within = words[link_ends] - words[first]
        words_before = words[first] - words[record_starts]
        features["link_words"] = np.log1p(words_within.mean())
        features["words_before_link"] = np.log1p(words_before.mean())
    return features


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
    record_words = (words_behind - words_before).sum()
    page_words = max(words[-1], 1)
    home_end = tree.end[home]
    home_words = max(words[home_end] - words[home], 1)
    words_between = max(words[last] - words[first], 1)
    twice_centre = (words[first] + words[last]) / page_words
    return {
        "fills_home": record_words / home_words,
        "home_share": home_words / page_words,
        "dense": record_words / words_between,
        "begins": words[first] / page_words,
        "ends": words[last] / page_words,
        "off_centre": abs(twice_centre - 1) / 2,
        "first_node": first / len(tree),
        "depth": tree.depth[first],
        "depth_in_home": tree.depth[first] - tree.depth[home],
        "furniture": float(statistics.furniture[first]),
        "homes": np.log1p(len(siblings)),
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
    siblings = []
    tag = tree.tag[node]
    for sibling in tree.children(parent):
        if sibling == node or tree.tag[sibling] != tag:
            continue
        if statistics.filled[sibling]:
            siblings.append(sibling)
    return siblings


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
    shapes = shape_table(statistics.tag_shape, nodes, ends)
    likeness = jaccard(shapes[:1], shapes[1:])
    return float(likeness.mean())


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
        for parent in np.unique(parents).tolist():
            children = tree.children(parent)
            filled = [child for child in children if statistics.filled[child]]
            others += [child for child in filled if child not in taken]

    number = len(candidate.spans)
    first = starts[0]
    last = candidate.stops[-1]
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
    child_counts = []
    for start in candidate.starts[:COUNTED_RECORDS].tolist():
        children = list(tree.children(start))
        is_filled = statistics.filled[children]
        child_counts.append(int(is_filled.sum()))

    features = {
        "by_class": float(candidate.by_class),
        "children": np.log1p(np.mean(child_counts)),
    }
    for kind in CandidateKind:
        features[kind.value] = float(candidate.kind is kind)
    first = candidate.starts[0]
    first_tag = tree.tag[first]
    for name in ("li", "tr", "div", "td"):
        features[f"is_{name}"] = float(first_tag == CODES[name])
    return features


def _add_comparisons(
    candidates: Sequence[CandidateSection], all_features: Sequence[Features]
) -> None:
    """Add how a candidate stands among the others: the largest by words and number, and
    whether another holds it.
    """
    words = np.array([features["word_share"] for features in all_features])
    numbers = np.array([features["records"] for features in all_features])
    starts = np.array([candidate.starts[0] for candidate in candidates])
    ends = np.array([candidate.stops[-1] for candidate in candidates])
    first_ends = np.array([candidate.stops[0] for candidate in candidates])
    most_words = max(words.max(), 1e-9)
    most_records = numbers.max()
    for index, features in enumerate(all_features):
        starts_before = starts <= starts[index]
        holders = starts_before & (first_ends >= ends[index])
        starts_after = starts >= starts[index]
        held = starts_after & (ends <= first_ends[index])
        holders[index] = False
        held[index] = False
        features["words_of_most"] = words[index] / most_words
        features["records_of_most"] = numbers[index] / most_records
        largest_holder = numbers[holders].max(initial=0)
        largest_held = numbers[held].max(initial=0)
        features["holders"] = np.log1p(largest_holder)
        features["held"] = np.log1p(largest_held)


def feature_rows(
    all_features: Sequence[Features], names: Sequence[str]
) -> NDArray[np.float32]:
    """Return features as rows with a column for each candidate."""
    shape = (len(names), len(all_features))
    rows = np.empty(shape, dtype=np.float32)
    for column, features in enumerate(all_features):
        rows[:, column] = [features[name] for name in names]
    return rows
