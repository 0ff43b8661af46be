"""HTML to `Tree` by the compiled core, where there is one.

`scythe.tree.construction.reference` gives the same tree, node for node.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scythe.core.block import Block
from scythe.core.library import parse_page
from scythe.core.texts import count_characters
from scythe.tree.compiled.attributes import BlockAttributes
from scythe.tree.construction.structure import flatten_below
from scythe.tree.encoding import PageText
from scythe.tree.limits import Limits
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Tree


def compiled_tree(page: PageText, limits: Limits) -> Tree | None:
    """Return the tree of a page; None where there is no core, or it leaves the page to
    the reference.
    """
    data = parse_page(page.utf8(), limits.max_nodes)
    if data is None:
        return None
    block = Block(data)
    cut = list(page.cut)
    if block.is_cut:
        cut.append("nodes")
    parent = block.parent
    end = block.end
    depth = block.depth
    if block.max_depth > limits.max_depth:
        parent = parent.copy()
        end = end.copy()
        depth = depth.copy()
        flatten_below(limits.max_depth, parent, end, depth)
        cut.append("depth")
    tree = object.__new__(BlockTree)
    vars(tree).update(
        tag=block.tag,
        parent=parent,
        end=end,
        depth=depth,
        source=BlockAttributes(block),
        extra_names=block.extra_names,
        encoding=page.encoding,
        cut=tuple(cut),
    )
    return tree


_SCRIPTS = TagSet("script style")
_KEPT = (
    "tag",
    "end",
    "depth",
    "extra_names",
    "encoding",
    "cut",
    "is_text",
    "_known_tag",
    "_tags",
    "_found_attributes",
    "_attribute_texts",
)
"""What a tree keeps when its texts change."""


class BlockTree(Tree):
    """A tree whose texts are made when they are asked for, as few steps need all, and
    whose attributes the core searches.
    """

    source: BlockAttributes

    def __getattr__(self, name: str) -> NDArray[np.object_]:
        if name != "text":
            raise AttributeError(name)
        text = vars(self)["text"] = vars(self)["source"].text
        return text

    def attributes_of(self, elements: Sequence[int]) -> list[Mapping[str, str]]:
        """Return the attributes of each of some elements, as `Tree` does."""
        return list(self.source.attributes_of(elements))

    def with_words(self, name: str, words: Iterable[str]) -> dict[int, str]:
        """Return the nodes whose attribute has one of the words, as `Tree` does."""
        words = tuple(words)
        found = self.source.with_words(name, words)
        return super().with_words(name, words) if found is None else found

    def nodes_with_words(self, name: str, words: Iterable[str]) -> list[int]:
        """Return the nodes whose attribute has one of the words, as `Tree` does."""
        words = tuple(words)
        found = self.source.nodes_with_words(name, words)
        return super().nodes_with_words(name, words) if found is None else found

    def texts(self, nodes: NDArray[np.integer]) -> list[str]:
        """Return the texts of text nodes, given in document order."""
        if "text" in vars(self):
            return super().texts(nodes)
        return self.source.texts(nodes)

    def long_texts(self, tags: TagSet, length: float) -> list[str]:
        """Return the long texts that are all that an element holds, as `Tree` does: few
        texts of a page are long.
        """
        block = block_of(self)
        if block is None:
            return super().long_texts(tags, length)
        if block.longest_text <= length and tags.codes.isdisjoint(_SCRIPTS.codes):
            return []
        held = []
        for node in self.source.long_text_nodes(length):
            parent = int(self.parent[node])
            parent_end = int(self.end[parent])
            is_alone = parent_end - parent == 2
            if is_alone and int(self.tag[parent]) in tags.codes:
                held.append(node)

        texts = self.texts(np.array(held, dtype=np.int64))
        return [text for text in texts if len(text) > length]

    def texts_between(self, start: int, stop: int) -> list[str]:
        """Return the texts of the text nodes from one node to another."""
        if "text" in vars(self):
            return super().texts_between(start, stop)
        return self.source.texts_between(start, stop)

    def text_length(self, chosen: Bools) -> int:
        """Return the characters of the chosen texts."""
        block = block_of(self)
        known = None if block is None else count_characters(block, chosen)
        return super().text_length(chosen) if known is None else known

    def with_texts(self, nodes: NDArray[np.integer], texts: Sequence[str]) -> Tree:
        """Return the page with other texts in some of its text nodes, which the core can
        read as well.
        """
        block = block_of(self)
        if block is None or any("\0" in text for text in texts):
            return super().with_texts(nodes, texts)
        source = self.source.with_texts(nodes, texts)
        known = vars(self)
        kept = {name: known[name] for name in _KEPT if name in known}
        changed = object.__new__(BlockTree)
        vars(changed).update(kept, parent=source.block.parent, source=source)
        return changed

    def nodes_with_text(
        self, sought: str, nodes: NDArray[np.integer]
    ) -> NDArray[np.integer]:
        """Return those of some text nodes that have a text in theirs."""
        if "text" in vars(self):
            return super().nodes_with_text(sought, nodes)
        is_asked = np.zeros(len(self), dtype=bool)
        is_asked[nodes] = True
        found = self.source.text_nodes_with(sought)
        return found[is_asked[found]]


def block_of(tree: Tree) -> Block | None:
    """Return the arrays that the core made a tree of; None where another made it, or it
    was changed since.
    """
    source = tree.source
    if not isinstance(source, BlockAttributes):
        return None
    text = vars(tree).get("text")
    is_same_text = text is None or text is vars(source).get("text")
    is_same = is_same_text and tree.parent is source.block.parent
    return source.block if is_same else None
