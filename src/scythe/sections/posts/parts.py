"""Which element of a post names its author, and which says when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scythe.sections.posts.authors import is_name, own_text
from scythe.sections.posts.thread_page import Key, ThreadPage
from scythe.sections.posts.times import TIME, is_time
from scythe.tree.tree import Bools

Owners = NDArray[np.int64]
"""For each node the innermost post it stands in, -1 outside of all."""
NodesByKey = Mapping[Key, Sequence[int]]
Rank = Callable[[Key], float]

NAME_SHARE = 0.8
"""Of the posts, how many must have a short text at a position for it to be a name where
the markup names none: all but deleted ones.
"""
MARKED_UP = 2.0
"""How much more a `<time>` element counts than a text that looks like a date: the date
on which a member joined is a text like that.
"""


def author_nodes(
    page: ThreadPage, owner: Owners, times: Mapping[int, int], quoted: Bools
) -> dict[int, int]:
    """Return the element that names the author, by post: of several alike, the one that
    stands nearest to the time.
    """
    count = int(owner.max()) + 1
    inside = [node for node in page.authors if owner[node] >= 0 and not quoted[node]]
    groups = page.by_key(inside)

    def rank(key: Key) -> float:
        nodes = groups[key]
        posts = {int(owner[node]) for node in nodes}
        texts = {own_text(page.tree, node) for node in nodes}
        if len(texts) == 1 and len(posts) > 2:
            return 0.0
        strength = max(page.authors[node] for node in nodes)
        once = len(posts) / len(nodes)
        share = len(posts) / count
        return share * once * (3 + strength)

    chosen = _first_by_post(groups, rank, owner, times)
    if len(chosen) >= count / 2:
        return chosen
    return _unmarked_authors(page, owner, count, quoted) or chosen


def _unmarked_authors(
    page: ThreadPage, owner: Owners, count: int, quoted: Bools
) -> dict[int, int]:
    """Return the first short text that almost every post has once and that differs from
    post to post: a name that the markup does not call one.
    """
    tree = page.tree
    groups: dict[Key, list[int]] = defaultdict(list)
    for node in page.texts.tolist():
        if owner[node] < 0 or quoted[node]:
            continue
        text = tree.text[node].strip()
        begins_with_letter = text[0].isalpha()
        if begins_with_letter and is_name(text) and not is_time(text):
            parent = int(tree.parent[node])
            groups[page.key(parent)].append(parent)

    for nodes in sorted(groups.values(), key=min):
        posts = {int(owner[node]) for node in nodes}
        texts = {own_text(tree, node) for node in nodes}
        is_once = len(posts) == len(nodes)
        is_in_most = len(posts) >= NAME_SHARE * count
        if is_once and is_in_most and len(texts) > 1:
            return {int(owner[node]): node for node in nodes}
    return {}


def time_nodes(page: ThreadPage, owner: Owners, quoted: Bools) -> dict[int, int]:
    """Return the element that says when, by post: of several alike, the first."""
    count = int(owner.max()) + 1
    inside = [node for node in page.times if owner[node] >= 0 and not quoted[node]]
    groups = page.by_key(inside)
    is_marked_up = page.tree.has_tag(TIME)

    def rank(key: Key) -> float:
        nodes = groups[key]
        posts = {int(owner[node]) for node in nodes}
        share = len(posts) / count
        return share * MARKED_UP if is_marked_up[nodes[0]] else share

    return _first_by_post(groups, rank, owner, {})


def _first_by_post(
    groups: NodesByKey, rank: Rank, owner: Owners, near: Mapping[int, int]
) -> dict[int, int]:
    """Return for each post its element of the highest key that it has, nearest to a
    node of the post; of keys of equal rank, the one that is first on the page.
    """
    chosen: dict[int, int] = {}
    for key in sorted(groups, key=lambda key: (-rank(key), groups[key][0])):
        by_post: dict[int, list[int]] = defaultdict(list)
        for node in groups[key]:
            by_post[int(owner[node])].append(node)
        for post, nodes in by_post.items():
            if post not in chosen:
                goal = near.get(post, 0)
                chosen[post] = min(nodes, key=lambda node: abs(node - goal))
    return chosen
