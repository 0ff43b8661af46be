"""Threads post by post and lists item by item, whatever elements the page uses.

Forum programs lay posts out in tables, lists and nested boxes; a list of products is a
grid of boxes. What a reader would copy is arranged here as a tree of its own: a line
with author and time over the text of each post, an item for each record. All structured
formats are written from it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scythe.content.structures.figures import PICTURE
from scythe.sections.posts import Post
from scythe.sections.span import Span
from scythe.tree.assembly import TreeAssembly
from scythe.tree.tags import HEADING, TagSet
from scythe.tree.text import plain_text
from scythe.tree.tree import Bools, Tree

BETWEEN = " \u00b7 "
"""What stands between author and time."""

_ROWS = TagSet("tr td th tbody")
_PARTS = TagSet("tr td th tbody li dt dd")
"""Elements that need another around them."""
_PARAGRAPH = "p"


def arrange_posts(
    tree: Tree, chosen: Bools, posts: Sequence[Post]
) -> tuple[Tree, Bools]:
    """Return a tree with the chosen nodes of a thread post by post, and its chosen
    nodes: first what stands before the posts, at last what stands between and behind.
    """
    spans = [post.span for post in posts]
    assembly, rest = _begin(tree, chosen, spans)
    for post in posts:
        assembly.open("article")
        add_head(assembly, post)
        add_body(assembly, chosen, post)
        assembly.close()
    return _finish(assembly, rest)


def arrange_records(
    tree: Tree, chosen: Bools, spans: Sequence[Span]
) -> tuple[Tree, Bools]:
    """Return a tree with the chosen nodes of a list page, records as items of a list,
    and its chosen nodes. What stands between records, such as the heading of a group,
    stands between lists.
    """
    assembly, rest = _begin(tree, chosen, spans)
    left = rest.copy()
    is_heading = tree.has_tag(HEADING)
    needs_parent = tree.has_tag(_PARTS)
    assembly.open("ul")
    for (start, stop), between in zip(
        spans, _parts_between(tree, rest, spans), strict=True
    ):
        if between:
            assembly.close()
            for part in between:
                names = {part.start: "div"} if needs_parent[part.start] else {}
                assembly.add_part(part.start, part.stop, rest, names)
                left[part.start : part.stop] = False
            assembly.open("ul")
        if not chosen[start:stop].any():
            continue
        names = {}
        for node in np.flatnonzero(is_heading[start:stop]).tolist():
            names[start + node] = _PARAGRAPH
        if stop == tree.end[start]:
            names[start] = "div"
        assembly.open("li")
        assembly.add_part(start, stop, chosen, names)
        assembly.close()
    assembly.close()
    return _finish(assembly, left)


def _parts_between(
    tree: Tree, rest: Bools, spans: Sequence[Span]
) -> list[tuple[Span, ...]]:
    """Return for each record the subtrees between it and the one before that show
    something.
    """
    nodes = np.flatnonzero(rest & tree.is_text)
    shown = rest & tree.has_tag(PICTURE)
    texts = tree.text[nodes].tolist()
    shown[nodes] = [not text.isspace() for text in texts]
    stops = [spans[0].start, *[span.stop for span in spans]]
    return [
        _subtrees(tree, shown, last_stop, span.start)
        for span, last_stop in zip(spans, stops, strict=False)
    ]


def _subtrees(tree: Tree, shown: Bools, start: int, stop: int) -> tuple[Span, ...]:
    """Return the largest subtrees among the nodes start..stop that show something."""
    found = []
    node = start
    while node < stop:
        end = int(tree.end[node])
        if end > stop:
            node += 1
            continue
        if shown[node:end].any():
            found.append(Span(node, end))
        node = end
    return tuple(found)


def can_be_items(tree: Tree, chosen: Bools, spans: Sequence[Span]) -> bool:
    """Return whether records can be items of a list. Rows of a table stay a table, and
    sections that most have a heading before them stay sections.
    """
    starts = [span.start for span in spans]
    if tree.has_tag(_ROWS)[starts].any():
        return False
    in_heading = tree.below(tree.has_tag(HEADING))
    headings = np.flatnonzero(in_heading & chosen & tree.is_text)
    before = np.searchsorted(headings, starts)
    within = np.searchsorted(headings, [span.stop for span in spans])
    has_heading = before[1:] > within[:-1]
    return bool(2 * has_heading.sum() <= len(has_heading))


def _begin(
    tree: Tree, chosen: Bools, spans: Sequence[Span]
) -> tuple[TreeAssembly, Bools]:
    """Return an assembly with what stands before the spans, and the chosen nodes that
    stand outside of them behind.
    """
    rest = chosen.copy()
    for start, stop in spans:
        rest[start:stop] = False
    first = min(span.start for span in spans)
    before = rest.copy()
    before[first:] = False
    rest[:first] = False
    assembly = TreeAssembly(tree)
    assembly.open("html")
    assembly.add_part(0, len(tree), before, {0: "div"})
    return assembly, rest


def _finish(assembly: TreeAssembly, rest: Bools) -> tuple[Tree, Bools]:
    if rest.any():
        assembly.add_part(0, len(assembly.page), rest, {0: "div"})
    return assembly.finish()


def add_head(assembly: TreeAssembly, post: Post) -> None:
    """Add the line with author and time to an assembly, where a post has either."""
    written = written_when(assembly.page, post)
    if not post.author and not written:
        return
    assembly.open(_PARAGRAPH)
    if post.author:
        assembly.open("strong")
        assembly.add_text(post.author)
        assembly.close()
    if written:
        assembly.add_text(BETWEEN + written if post.author else written)
    assembly.close()


def written_when(tree: Tree, post: Post) -> str:
    """Return the time of a post as a reader sees it."""
    node = post.time_node
    if node is None:
        return ""
    texts = tree.text[node : tree.end[node]]
    visible = "".join(texts.tolist())
    return " ".join(visible.split()) or post.time or ""


def add_body(assembly: TreeAssembly, chosen: Bools, post: Post) -> None:
    """Add the chosen text of a post to an assembly, quotes as quotes."""
    tree = assembly.page
    if not len(post.body):
        return
    root = _smallest_around(tree, post.body)
    is_body = body_mask(tree, chosen, post)
    names = {}
    for quote in post.quotes:
        if root <= quote.start:
            names[quote.start] = "blockquote"
    names[root] = "div"
    assembly.add_part(root, int(tree.end[root]), is_body, names)


def body_mask(tree: Tree, chosen: Bools, post: Post) -> Bools:
    """Return the chosen nodes of the text of a post."""
    is_body = np.zeros(len(tree), dtype=bool)
    is_body[post.body] = chosen[post.body]
    return is_body


def body_text(tree: Tree, chosen: Bools, post: Post) -> str:
    """Return the text of a post without author and time."""
    return plain_text(tree, body_mask(tree, chosen, post))


def _smallest_around(tree: Tree, nodes: NDArray[np.int64]) -> int:
    """Return the smallest element that holds all of the nodes."""
    last = int(nodes[-1])
    element = int(nodes[0])
    while tree.is_text[element] or tree.end[element] <= last:
        element = int(tree.parent[element])
    return element
