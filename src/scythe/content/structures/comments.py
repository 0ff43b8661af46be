"""Sections in which readers comment on a page, as a mask over its nodes.

They are found by what their mark-up calls them, in the words of English and of a few
other languages that programs for blogs use, and by headings such as "12 comments" or
"Leave a reply". Threads of forums are no comments: there the posts are the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import compress

import numpy as np

from scythe.content.options import CommentChoice
from scythe.content.selection import Selection
from scythe.content.structures.names import name_words
from scythe.tree.compiled.signs import SignGroups, elements_with
from scythe.tree.tags import TagSet, tag_bits
from scythe.tree.tree import Bools, Tree, once_per_tree
from scythe.tree.visibility import visible

_WORDS = frozenset(
    "comment comments commentlist commentarea commentform commentbox commentsection "
    "commentwrap commenttext disqus fbcomments livefyre respond cmt cmts "
    "kommentar kommentare kommentarer commentaire commentaires comentario comentarios "
    "commento commenti reacties komentarz komentarze komentar komentari yorumlar".split()
)
"""Words of classes and ids."""
_STEMS = (
    "comment disqus livefyre respond cmt kommentar comentario reacties komentar yorumlar"
).split()
"""One of which all of these words have."""
_NEVER_A_SECTION = TagSet("html body main head")
"""Elements whose classes are about the whole page: `<body class="comments-open">`."""

_CODE = TagSet("pre code")
"""Where highlighters of syntax call the comments of programmers by the same words."""

_HEADING_TEXT = re.compile(
    r"""
    \W* (?: (?:all|no|\d[\d.,]*) \s+ )?
    (?: (?:user|reader|visitor)s? (?:'|\u2019)?s? \s )?
    (?: comments? | responses? | replies
      | thoughts?\ on\b.* | (?:responses?|replies|comments?)\ (?:to|on)\b.*
      | (?:leave|post|add|write|submit)\ (?:a|your)\ (?:reply|comment|response)
      | (?:join|start)\ the\ (?:discussion|conversation)
      | kommentare? | kommentarer | schreibe?\ (?:einen|deinen)\ kommentar
      | commentaires? | laisser\ un\ commentaire | r\u00e9actions?
      | comentarios? | coment\u00e1rios? | deja\ (?:un|tu)\ comentario
      | deixe\ (?:um|seu)\ coment\u00e1rio | commenti | lascia\ un\ commento
      | reacties? | geef\ een\ reactie | komentarze? | dodaj\ komentarz
      | koment\u00e1\u0159e? | hozz\u00e1sz\u00f3l\u00e1sok | yorumlar | yorum\ yap
      | \u043a\u043e\u043c\u043c\u0435\u043d\u0442\u0430\u0440\u0438\w*
      | \u043a\u043e\u043c\u0435\u043d\u0442\u0430\u0440\w*
      | \u8bc4\u8bba | \u8a55\u8ad6 | \u7559\u8a00 | \u7f51\u53cb\u8bc4\u8bba
      | \u30b3\u30e1\u30f3\u30c8 | \ub313\uae00
    )
    (?: \s* [(\[]? \s* \d[\d.,]* \s* [)\]]? )? \W*
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HEADING_STEMS = tuple(
    (
        "comment respon repl thought discussion conversation komment r\u00e9action coment "
        "reacti koment hozz\u00e1sz\u00f3l\u00e1s yorum \u043a\u043e\u043c\u043c\u0435\u043d\u0442 "
        "\u043a\u043e\u043c\u0435\u043d\u0442 \u8bc4\u8bba \u8a55\u8ad6 \u7559\u8a00 "
        "\u30b3\u30e1\u30f3\u30c8 \ub313\uae00"
    ).split()
)
"""One of which all of these headings have."""
_STEM_GROUPS = SignGroups(folds=True)
_MAX_HEADING = 120
"""Characters of a heading that may be one over comments; a bound, not tuned."""
MIN_REST = 0.05
"""Of the selected text, what must be left without the comments: where they are nearly
all of it, the page is a thread, whatever its markup calls the posts. A plain bound.
"""
_COMMENTED_TYPES = (None, "article", "documentation", "service")
"""Types of pages with comments; methods that know no types have None."""
_NO_COMMENT = TagSet("form button nav")
_PICTURES = TagSet("img hr br")
_MAX_HEADINGS = 200
"""Headings over comments that are followed; a bound on work for hostile pages."""
_HEADINGS = TagSet("h2 h3 h4 h5 h6 legend summary")
_HEADING_BITS = tag_bits(_HEADINGS)


def select_comments(
    tree: Tree, selection: Selection, comments: CommentChoice
) -> Selection:
    """Return a selection with the comments of readers in it, or without them; as it is
    on pages that are no text with comments under it, such as threads and products.
    """
    if comments == "auto" or selection.posts:
        return selection
    if selection.page_type not in _COMMENTED_TYPES:
        return selection

    in_comments = find_comments(tree)
    if comments == "in":
        is_form = tree.below(tree.has_tag(_NO_COMMENT))
        is_shown = in_comments & visible(tree) & ~is_form
        can_be_content = tree.is_text | tree.has_tag(_PICTURES)
        return replace(selection, nodes=selection.nodes | (is_shown & can_be_content))

    if not (selection.nodes & in_comments).any():
        return selection
    others = selection.nodes & ~in_comments
    if _length(tree, others) < MIN_REST * _length(tree, selection.nodes):
        return selection
    return replace(selection, nodes=others)


def _length(tree: Tree, nodes: Bools) -> int:
    texts = tree.texts(np.flatnonzero(nodes & tree.is_text))
    return sum(map(len, map(str.strip, texts)))


@once_per_tree
def find_comments(tree: Tree) -> Bools:
    """Return the nodes of the sections in which readers comment on the page."""
    mask = np.zeros(len(tree), dtype=bool)
    for node in _named_sections(tree):
        mask[node : tree.end[node]] = True
    for start, stop in _sections_under_headings(tree):
        mask[start:stop] = True
    return mask


def _named_sections(tree: Tree) -> list[int]:
    """Return the elements whose class or id says that they hold comments, and that do
    not hold the headline of the page.
    """
    named = []
    for attribute in ("class", "id"):
        for node, value in tree.with_words(attribute, _STEMS).items():
            can_be_section = int(tree.tag[node]) not in _NEVER_A_SECTION.codes
            if can_be_section and _names_comments(value):
                named.append(node)
    if not named:
        return []
    headlines = tree.elements("h1")
    before = np.searchsorted(headlines, named)
    through = np.searchsorted(headlines, tree.end[named])
    is_section = before == through
    if tree.has_any(_CODE):
        is_section &= ~tree.below(tree.has_tag(_CODE))[named]
    return list(compress(named, is_section.tolist()))


def _names_comments(value: str) -> bool:
    return not _WORDS.isdisjoint(name_words(value))


def _sections_under_headings(tree: Tree) -> list[tuple[int, int]]:
    """Return what stands under the headings of comments: the rest of the smallest
    element that has text behind the heading.
    """
    sections = []
    for heading, text in _headings(tree):
        if len(text) > _MAX_HEADING or not _HEADING_TEXT.fullmatch(text):
            continue
        end = int(tree.end[heading])
        for parent in tree.ancestors(heading):
            stop = int(tree.end[parent])
            if _has_text(tree, end, stop):
                sections.append((heading, stop))
                break
            end = stop
        if len(sections) == _MAX_HEADINGS:
            break
    return sections


def _headings(tree: Tree) -> Iterator[tuple[int, str]]:
    """Yield the headings that may stand over comments with their texts."""
    candidates = elements_with(_STEM_GROUPS, _HEADING_STEMS, tree, _HEADING_BITS)
    if candidates is None:
        is_heading = tree.has_tag(_HEADINGS)
        candidates = np.flatnonzero(is_heading).tolist()
    if not candidates:
        return
    in_heading = tree.below(tree.has_tag(_HEADINGS))
    texts = tree.texts(np.flatnonzero(in_heading & tree.is_text))
    all_texts = "\n".join(texts).lower()
    stems = [stem for stem in _HEADING_STEMS if stem in all_texts]
    for node in candidates:
        text = tree.text_below(node)
        lower = text.lower()
        if any(stem in lower for stem in stems):
            yield node, " ".join(text.split())


def _has_text(tree: Tree, start: int, stop: int) -> bool:
    """Return whether the nodes start..stop have a text that is not blank."""
    nodes = np.arange(start, stop)
    return any(map(str.strip, tree.texts(nodes[tree.is_text[nodes]])))
