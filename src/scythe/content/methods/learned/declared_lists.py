"""Blocks that a page declares as its own in structured data: the ingredients and steps
of a recipe.

The sets that the model was trained on have next to no recipes, and short lines beside
buttons look like page furniture to it. Where the page itself says what they are, nobody
has to guess.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from scythe.content.methods.learned.outline import Blocks
from scythe.tree.tree import Bools, Tree

_PROPERTIES = ("recipeIngredient", "ingredients", "recipeInstructions")
_SIGNS = tuple(f'"{name.lower()}"'.encode() for name in _PROPERTIES)
_TEXT_PROPERTIES = ("text", "itemListElement")
"""Where the text of a step, and the steps of a section, stand."""
_MAX_TEXTS = 1_000
"""Texts of a page that are compared; a bound on work."""
MIN_PART = 30
"""Letters of a block that may be a part of a declared text, such as one paragraph of
all instructions; a shorter one must be all of it. A plain bound, not tuned.
"""

_TAG = re.compile(r"<[^<>]*+>")
_NO_LETTERS = re.compile(r"[\W_]+")


def may_declare_blocks(structured_data: bytes) -> bool:
    """Return whether structured data, in lower case and UTF-8, may declare any block."""
    return any(sign in structured_data for sign in _SIGNS)


def declared_blocks(tree: Tree, blocks: Blocks, structured_data: bytes) -> Bools:
    """Return which blocks the structured data of a page, given as for
    `may_declare_blocks`, declares as its content. Texts are compared by their letters
    and digits.
    """
    is_declared = np.zeros(len(blocks), dtype=bool)
    if not may_declare_blocks(structured_data):
        return is_declared
    texts = _declared_texts(tree)
    declared = set(map(_letters, texts))
    declared.discard("")
    all_declared = "\n".join(declared)
    for index, text in enumerate(blocks.texts(tree)):
        letters = _letters(text)
        if len(letters) < MIN_PART:
            is_declared[index] = letters in declared
        else:
            is_declared[index] = letters in all_declared
    return is_declared


def _declared_texts(tree: Tree) -> list[str]:
    """Return the declared texts of a page, without markup."""
    # Few pages declare any: the reader of JSON-LD is loaded for them alone.
    from scythe.content.metadata.jsonld import read_jsonld, walk_items

    texts: list[str] = []
    for item in walk_items(read_jsonld(tree)):
        for name in _PROPERTIES:
            texts += _texts_in(item.get(name))
        if len(texts) > _MAX_TEXTS:
            break
    plain_texts = []
    for text in texts[:_MAX_TEXTS]:
        markup = html.unescape(text)
        plain_texts.append(_TAG.sub(" ", markup))
    return plain_texts


def _texts_in(value: Any) -> Iterator[str]:
    """Yield the texts of a property in order: texts, steps, and sections of steps."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, list):
            pending += reversed(part)
        elif isinstance(part, dict):
            pending += [part.get(name) for name in _TEXT_PROPERTIES]


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text.lower())
