"""What speaks for a single record of a candidate: how like it is to the others.

A list page puts advertisements, headings, "more results" and empty cells among its
records, often with the same tags. A candidate is found as a whole; then each of its
members is asked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.sections.comparisons import Comparisons

MEMBER_FEATURES = (
    "like_usual", "has_usual", "tags_like_middle", "classes_like_usual",
    "words_to_median", "words", "median_words", "elements_to_median", "usual_parent",
    "usual_tag", "twin", "first", "last", "place", "records", "group_alike",
    "link_word_share", "group_link_word_share", "group_links", "links", "headings",
    "images", "numbers", "prices", "dates",
)  # fmt: skip
"""The features of a member, in the order in which the models know them."""


def member_feature_rows(comparisons: Comparisons) -> NDArray[np.float32]:
    """Return the features of every member of all candidates, as rows with a column for
    each member.
    """
    members = comparisons.members
    compared = comparisons.of_members._asdict()
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
    alike = members.means(compared["like_usual"])

    features = {
        **compared,
        "group_alike": members.repeated(alike),
        "words_to_median": np.log((words + 1) / (median_words + 1)),
        "words": words,
        "median_words": median_words,
        "elements_to_median": np.log((elements + 1) / (median_elements + 1)),
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
