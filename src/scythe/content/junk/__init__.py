"""What a page shows by mistake, taken out of any selection before it is rendered.

Shortcodes that a server forgot to replace, addresses of scripts, letters and names of
icon fonts, signs for checkboxes, line numbers of code, signs for links to headings, bars
of web archives, notes on advertisements between paragraphs, expressions of templates
left as they are, invisible characters, pictures that are ornaments, and copies of a
block for other screens. And words that only a style sheet holds apart have a space. No
method selects by these rules, so every method goes through them.
"""

from __future__ import annotations

from scythe.content.junk.addresses import script_addresses
from scythe.content.junk.archives import archive_bars
from scythe.content.junk.checkboxes import checkbox_signs
from scythe.content.junk.glued import separated_texts
from scythe.content.junk.heading_links import heading_links
from scythe.content.junk.icons import icon_names
from scythe.content.junk.line_numbers import line_numbers
from scythe.content.junk.notes import notes_between
from scythe.content.junk.ornaments import without_ornaments
from scythe.content.junk.repeats import repeated_blocks
from scythe.content.junk.selected import SelectedTexts
from scythe.content.junk.texts import clean_texts
from scythe.tree.tree import Bools, Tree

__all__ = ["with_clean_captions", "without_junk", "without_ornaments"]

_KINDS = (
    icon_names,
    checkbox_signs,
    line_numbers,
    heading_links,
    script_addresses,
    archive_bars,
    notes_between,
)


def without_junk(tree: Tree, selected: Bools) -> tuple[Tree, Bools]:
    """Return the page with clean texts, and the selected nodes that are no junk.

    Nodes keep their numbers. The page is the same one where its texts are clean. Most
    pages have no junk of most kinds: every step first looks for a sign of its kind
    anywhere on the page, and returns None where there is none.
    """
    texts = SelectedTexts(tree, selected)
    if not len(texts.nodes):
        return tree, selected
    texts = _with_clean_texts(texts)
    tree = texts.tree

    kept = selected
    for find_junk in _KINDS:
        junk = find_junk(texts)
        if junk is not None:
            kept = kept & ~junk
    if kept is not selected:
        texts = SelectedTexts(tree, kept)
    copies = repeated_blocks(texts)
    if copies is None:
        return tree, kept
    return tree, kept & ~copies


def with_clean_captions(tree: Tree, added: Bools) -> Tree:
    """Return the page with clean texts in what was added to a selection after its junk
    had gone.
    """
    texts = SelectedTexts(tree, added)
    return _with_clean_texts(texts).tree if len(texts.nodes) else tree


def _with_clean_texts(texts: SelectedTexts) -> SelectedTexts:
    selected = texts.selected
    for clean in (clean_texts, separated_texts):
        cleaned = clean(texts)
        if cleaned is not None:
            tree = texts.tree.with_texts(*texts.changed(cleaned))
            texts = SelectedTexts(tree, selected)
    return texts
