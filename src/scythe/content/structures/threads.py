"""Posts as units of the selection: author, time and text of every post, whole, and
nothing else of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scythe.content.selection import Selection, with_white_space
from scythe.content.status import LIST_TYPES
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Ints, Tree, once_per_tree

if TYPE_CHECKING:
    from scythe.sections.posts import Post

LIKELY_THREAD = 0.12
"""The probability of a forum page from which posts are looked for. Of 94 forum threads
of unseen sites 88 of 100 are above it, of 240 pages of four sets of news and other
articles 6 of 100: posts cost as much as the rest of an extraction.
"""
MIN_SELECTED = 0.5
"""Of the selected words, how many must stand in posts: an article with comments is no
thread.
"""
MIN_POSTS = 2
MIN_NAMED = 0.5
"""Of the posts of a page that is likelier of another type than a forum, how many must
name an author: episodes and events have dates, too. Not tuned.
"""

_TEXTLESS = TagSet("img hr br picture video audio svg iframe embed")


def select_posts(tree: Tree, selection: Selection) -> Selection:
    """Return a selection in which every post is whole, where the selected text is a
    thread; else the selection as it is.

    A thread of a forum is its posts and nothing else: what else was selected are rules,
    notices and links to other threads. By small models that saw none of the domains, this
    brings threads of wcxb 0.008 on two folds and 0.0125 on the three put aside, harvest
    0.014 and 0.0075, and no page loses 0.05.
    """
    if selection.page_type in LIST_TYPES:
        return selection
    # Few pages are threads: what finds posts is loaded for them alone.
    from scythe.sections.posts import find_posts

    posts = find_posts(tree, selection.nodes)
    in_posts = _mask(tree, posts)
    if len(posts) < MIN_POSTS:
        return selection
    if not _holds_most(tree, selection.nodes, in_posts):
        return selection
    named = [post for post in posts if post.author]
    is_forum = selection.page_type == "forum"
    if not is_forum and len(named) < MIN_NAMED * len(posts):
        return selection

    nodes = selection.nodes & ~in_posts
    if selection.page_type == "forum":
        nodes[:] = False
    can_be_content = tree.is_text | tree.has_tag(_TEXTLESS)
    for post in posts:
        nodes[post.body] = can_be_content[post.body]
        for mark in (post.author_node, post.time_node):
            if mark is not None:
                inside = slice(mark, tree.end[mark])
                nodes[inside] = tree.is_text[inside]
        for quote in post.quotes:
            inside = slice(quote.start, quote.stop)
            if not _is_mostly_selected(tree, selection.nodes, inside):
                nodes[inside] = False
    texts = np.flatnonzero(_stripped_lengths(tree))
    nodes = with_white_space(tree, nodes, texts)
    return replace(selection, nodes=nodes, page_type="forum", posts=posts)


def _mask(tree: Tree, posts: Sequence[Post]) -> Bools:
    mask = np.zeros(len(tree), dtype=bool)
    for post in posts:
        mask[post.span.start : post.span.stop] = True
    return mask


def _holds_most(tree: Tree, selected: Bools, in_posts: Bools) -> bool:
    """Return whether most of the selected text stands in posts."""
    all_text = _length(tree, selected)
    text_in_posts = _length(tree, selected & in_posts)
    return text_in_posts >= MIN_SELECTED * max(all_text, 1)


def _is_mostly_selected(tree: Tree, selected: Bools, inside: slice) -> bool:
    lengths = _stripped_lengths(tree)[inside]
    selected_lengths = lengths[selected[inside]]
    return bool(2 * selected_lengths.sum() >= lengths.sum())


def _length(tree: Tree, nodes: Bools) -> int:
    return int(_stripped_lengths(tree)[nodes].sum())


@once_per_tree
def _stripped_lengths(tree: Tree) -> Ints:
    """Return the characters of each text, white space at its ends left out."""
    nodes = np.flatnonzero(tree.is_text)
    lengths = np.zeros(len(tree), dtype=np.int32)
    stripped = map(str.strip, tree.texts(nodes))
    lengths[nodes] = list(map(len, stripped))
    return lengths
