"""The features of a candidate section as numbers, in the order in which the model knows
them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.sections.candidates import CandidateKind
from scythe.sections.comparisons import Comparisons
from scythe.sections.members import Members
from scythe.tree.tags import CODES

FeatureColumns = dict[str, NDArray[np.float64]]
"""A value for each candidate, by the name of the feature."""

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


def section_features(comparisons: Comparisons) -> FeatureColumns:
    """Return the features of all candidates of a page; some compare a candidate with
    the others.
    """
    members = comparisons.members
    columns = {
        **_amounts(members),
        **_first_links(members),
        **_likeness(comparisons),
        **_location(comparisons),
        **_form(comparisons),
    }
    return columns | _comparisons(members, columns)


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


def _likeness(comparisons: Comparisons) -> FeatureColumns:
    """Return how alike neighbours are, and all of them to what most have."""
    compared = comparisons.of_candidates
    return {
        "like_next": compared.like_next,
        "like_next_least": compared.like_next_least,
        "tags_like_next": compared.tags_like_next,
        "tags_like_next_least": compared.tags_like_next_least,
        "like_usual": compared.like_usual,
        "unlike_usual": compared.unlike_usual,
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


def _location(comparisons: Comparisons) -> FeatureColumns:
    """Return where on the page the candidates are, and how much of their surroundings
    they fill.
    """
    members = comparisons.members
    compared = comparisons.of_candidates
    statistics = members.statistics
    tree = statistics.tree
    words = statistics.sums["words"]
    first = members.starts[members.begins]
    last = members.stops[members.ends - 1]
    home = compared.home.astype(np.int64)
    record_words = members.totals(members.counts["words"])
    page_words = max(int(words[-1]), 1)
    home_words = np.maximum(words[tree.end[home]] - words[home], 1)
    begin, end = words[first], words[last]
    twice_centre = (begin + end) / page_words
    depth = tree.depth[first]
    return {
        "fills_home": record_words / home_words,
        "home_share": home_words / page_words,
        "dense": record_words / np.maximum(end - begin, 1),
        "begins": begin / page_words,
        "ends": end / page_words,
        "off_centre": np.abs(twice_centre - 1) / 2,
        "first_node": first / len(tree),
        "depth": depth.astype(np.float64),
        "depth_in_home": (depth - tree.depth[home]).astype(np.float64),
        "furniture": statistics.furniture[first].astype(np.float64),
        "homes": np.log1p(compared.homes),
        "homes_alike": compared.homes_alike,
        "left_out": compared.left_out,
        "left_out_inside": compared.left_out_inside,
        "left_out_alike": compared.left_out_alike,
    }


def _form(comparisons: Comparisons) -> FeatureColumns:
    """Return of which kind the candidates are, and the element that a record is."""
    members = comparisons.members
    by_class = [candidate.by_class for candidate in members.candidates]
    features = {
        "by_class": np.array(by_class, dtype=np.float64),
        "children": np.log1p(comparisons.of_candidates.children),
    }
    kinds = [candidate.kind for candidate in members.candidates]
    for kind in CandidateKind:
        is_kind = [other is kind for other in kinds]
        features[kind.value] = np.array(is_kind, dtype=np.float64)
    first_tag = members.statistics.tree.tag[members.starts[members.begins]]
    for name in ("li", "tr", "div", "td"):
        features[f"is_{name}"] = (first_tag == CODES[name]).astype(np.float64)
    return features


def _comparisons(members: Members, columns: FeatureColumns) -> FeatureColumns:
    """Return how a candidate stands among the others: the largest by words and number,
    and whether another holds it.
    """
    words = columns["word_share"]
    numbers = columns["records"]
    starts = members.starts[members.begins]
    first_ends = members.stops[members.begins]
    ends = members.stops[members.ends - 1]
    is_other = ~np.eye(len(starts), dtype=bool)
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
