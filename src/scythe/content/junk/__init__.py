"""What a page shows by mistake, taken out of any selection before it is rendered.

Shortcodes that a server forgot to replace, addresses of scripts, letters and names of
icon fonts, line numbers of code, signs for links to headings, invisible characters,
pictures that are ornaments, and copies of a block for other screens. No method selects
by these rules, so every method goes through them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scythe.content.junk.addresses import script_addresses
from scythe.content.junk.heading_links import heading_links
from scythe.content.junk.icons import icon_names
from scythe.content.junk.line_numbers import line_numbers
from scythe.content.junk.ornaments import without_ornaments
from scythe.content.junk.repeats import repeated_blocks
from scythe.content.junk.texts import clean_texts
from scythe.tree.tree import Bools, Tree

__all__ = ["without_junk", "without_ornaments"]


def without_junk(tree: Tree, selected: Bools) -> tuple[Tree, Bools]:
    """Return the page with clean texts, and the selected nodes that are no junk.

    Nodes keep their numbers. The page is the same one where its texts are clean.
    """
    nodes = np.flatnonzero(selected & tree.is_text)
    if not len(nodes):
        return tree, selected

    texts = tree.text[nodes].tolist()
    cleaned = clean_texts(tree, nodes, texts)
    if cleaned is not None:
        text = tree.text.copy()
        text[nodes] = texts = cleaned
        tree = replace(tree, text=text)

    junk = icon_names(tree, nodes, texts)
    junk |= line_numbers(tree, nodes, texts)
    junk |= heading_links(tree, nodes, texts)
    junk |= script_addresses(tree, nodes, texts)
    kept = selected & ~junk
    return tree, kept & ~repeated_blocks(tree, kept)
