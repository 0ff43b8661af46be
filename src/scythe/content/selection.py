"""What a method selected: nodes, and nothing about how they will be rendered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Tree

if TYPE_CHECKING:
    from scythe.sections.posts import Post


TEXTLESS = TagSet("img hr br picture video audio svg iframe embed")
"""Elements without text that may be content."""


@dataclass(frozen=True, eq=False)
class Selection:
    """The nodes that are main content.

    `nodes` marks text nodes and elements without text (images, rules, breaks). Which
    elements stand around them is read from the tree by the renderers, so that every
    rendering shows the same selection.
    """

    nodes: Bools
    confidence: float
    """The F1 that the method expects, from 0 to 1; calibrated only where the method
    states it.
    """
    page_type: str | None = None
    posts: tuple[Post, ...] = ()
    """The posts that were selected, where the page is a thread."""
    tree: Tree | None = None
    """The tree that `nodes` belong to, where that is not the page's own: content found
    outside its visible text.
    """
    media: Bools | None = None
    """The pictures and captions of figures, of the content or not: plain text leaves
    them out. None where nobody looked for them or the page has none.
    """

    def settled_later(self, settle: Callable[[Selection], Selection]) -> Selection:
        """Return the selection whose nodes are `settle(self).nodes`, found when they are
        first asked for: what changes no text costs plain text nothing.
        """
        later = object.__new__(Selection)
        vars(later).update(vars(self))
        del vars(later)["nodes"]
        vars(later).update(_earlier=self, _settle=settle)
        return later

    def __getattr__(self, name: str) -> Bools:
        known = vars(self)
        if name != "nodes" or "_settle" not in known:
            raise AttributeError(name)
        nodes: Bools = known["_settle"](known["_earlier"]).nodes
        known["nodes"] = nodes
        return nodes

    @property
    def with_same_text(self) -> Selection:
        """A selection with the same texts: this one, or as it was before it is settled."""
        earlier: Selection = vars(self).get("_earlier", self)
        return earlier

    @property
    def text_nodes(self) -> Bools:
        """The selected nodes that plain text shows."""
        if self.media is None:
            return self.nodes
        return self.nodes & ~self.media


def with_white_space(
    tree: Tree, selected: Bools, text_nodes: NDArray[np.integer]
) -> Bools:
    """Return the selected nodes and the white space between two selected texts.

    Without it words and lines of code would run together. For methods that select text
    nodes one by one; `text_nodes` are the nodes they select from, in document order.
    """
    is_other_text = tree.is_text.copy()
    is_other_text[text_nodes] = False
    candidates = np.flatnonzero(is_other_text)

    bounded = np.concatenate([[False], selected[text_nodes], [False]])
    next_text = np.searchsorted(text_nodes, candidates)
    is_between = bounded[next_text] & bounded[next_text + 1]
    between = candidates[is_between]

    texts = tree.texts(between)
    are_blank = list(map(str.isspace, texts))
    is_blank = np.array(are_blank, dtype=bool)
    result = selected.copy()
    result[between[is_blank]] = True
    return result
