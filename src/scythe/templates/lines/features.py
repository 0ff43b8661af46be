"""The lines of a page as rows of numbers, from which a model tells ingredients and
instructions from all else.

What a line is shows in its own words (a quantity first, a verb first), in the elements
around it (list items, class names), in the heading above it, and in the lines beside it
and in the same position of the page: one line may look like anything, ten in a row do
not. The order of the features, and every number here, is what the model was trained
with: a change needs a new model (`python -m training.recipes`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scythe.templates.lines.lines import (
    BOLD_TAGS,
    HEADING_TAGS,
    SHORT_HEADING,
    PageLines,
)
from scythe.templates.lines.words import (
    RecipePart,
    begins_with_fact,
    begins_with_number,
    begins_with_verb,
    count_units,
    count_verbs,
    part_of_heading,
)
from scythe.tree.tags import TagSet
from scythe.tree.visibility import hidden

Floats = NDArray[np.float32]

_OWN_TAGS = (
    "li",
    "p",
    "td th",
    "dd dt",
    "h1 h2 h3 h4 h5 h6",
    "div",
    "label",
    "figcaption caption",
    "button summary",
)
OWN_TAGS = tuple(map(TagSet, _OWN_TAGS))
"""Tags of a line's container that are features, one each."""

_AROUND_TAGS = (
    "ul",
    "ol",
    "table",
    "dl",
    "nav",
    "header",
    "footer",
    "aside",
    "form",
    "article",
    "main",
    "a",
    "b strong",
    "details",
    "blockquote",
)
AROUND_TAGS = tuple(map(TagSet, _AROUND_TAGS))
"""Tags around a line that are features, one each."""

_MARKS = (
    r"ingredi|zutat|ingr\b|hozzaval|skladnik|malzeme",
    (
        r"instruct|direction|method|procedure|prepar(?!e-)|zubereit|anleitung|bereid"
        r"|elkeszit|tillag|step|how-?to|process"
    ),
    r"recipe|recept|rezept|ricett|receta|receita|przepis",
    r"comment|review|respon|reply|disqus",
    r"nutri|calor|facts",
    r"note|tips?\b|hint",
    r"title|heading|headline|name",
    r"relat|similar|recommend|popular|more-|also|latest|card|carousel|slide",
    (
        r"nav|menu|breadcrumb|footer|header|sidebar|widget|social|share|newsletter"
        r"|cookie|modal|popup|advert"
    ),
    r"amount|quantity|qty|unit|measure",
    r"group|section|list",
    r"print|hidden|sr-only|screen-reader",
    r"meta|time|serving|yield|info|detail",
    r"content|body|entry|post|article|text",
)
MARKS = tuple(re.compile(words, re.IGNORECASE) for words in _MARKS)
"""Words of class names, ids and properties that are features, one each."""

_LINK_TAGS = TagSet("a")
_H1 = TagSet("h1")
_BULLETS = "•-\u2013*▢☐□"
_LAST_STOP = re.compile(r"[.!\u3002\uff01]\W*$")
_STOPS = re.compile(r"[.!?;\u3002\uff01\uff1f](?:\s|$)")

_MAX_DISTANCE = 300
"""Lines beyond which a heading is equally far."""
_MAX_MARKED = 200
"""Characters of a class, an id or a property that are looked at."""
_MAX_BOLD_HEADING = 40
_MIN_BOLD_SHARE = 0.9
_NEIGHBOURS = (1, 2, -1, -2)
_MEAN_WIDTHS = (3, 8)
"""Lines on both sides over which the mean of the neighbours is taken."""
_SHARED = 6
"""The first features of a line's own words, which are looked at in its neighbours too."""
_HEADED_PARTS = (RecipePart.INGREDIENTS, RecipePart.INSTRUCTIONS, RecipePart.OTHER)


def line_features(lines: PageLines) -> Floats:
    """Return a row for each feature, a column for each line."""
    if not len(lines):
        return np.zeros((0, 0), dtype=np.float32)
    words = _word_features(lines.texts)
    shares = _share_features(lines)
    bold_share = shares[1]
    parts = [
        words,
        shares,
        _element_features(lines),
        _heading_features(lines, bold_share),
        _neighbour_features(words, lines.position),
        _position_features(words, lines.position),
        _page_features(lines),
    ]
    return np.concatenate(parts).astype(np.float32)


def _word_features(texts: Sequence[str]) -> Floats:
    """Return what the words of each line show; the first rows are the `_SHARED` ones."""
    rows = [_word_row(text) for text in texts]
    return np.array(rows, dtype=np.float32).T


def _word_row(text: str) -> tuple[float, ...]:
    start = text[:200]
    end = text[-10:]
    digits = sum(map(str.isdigit, start))
    capitals = sum(map(str.isupper, start))
    return (
        begins_with_number(text),
        count_units(text),
        begins_with_verb(text),
        count_verbs(text),
        np.log1p(len(text)),
        _LAST_STOP.search(end) is not None,
        text.count(" "),
        digits / len(start),
        text.endswith(":"),
        text.count(","),
        len(_STOPS.findall(text)),
        capitals / len(start),
        "(" in text,
        begins_with_fact(text),
        ":" in text[:30],
        text[:1] in _BULLETS,
    )


def _share_features(lines: PageLines) -> Floats:
    """Return of each line the share of its text nodes in links and in bold."""
    tree = lines.tree
    blocks = lines.blocks
    count = len(lines)
    totals = np.bincount(blocks.block_of)[:count]
    rows = []
    for tags in (_LINK_TAGS, BOLD_TAGS):
        is_inside = tree.below(tree.has_tag(tags))
        is_text_inside = is_inside[blocks.nodes]
        inside = np.bincount(blocks.block_of, is_text_inside)[:count]
        rows.append(inside / totals)
    return np.array(rows, dtype=np.float32)


def _element_features(lines: PageLines) -> Floats:
    """Return the tag of each line's container, tags and class words above it, and
    whether the page hides it.
    """
    tree = lines.tree
    first = lines.first
    container = lines.container
    rows = [tree.has_tag(tags)[container] for tags in OWN_TAGS]
    rows += [lines.in_tags(tags) for tags in AROUND_TAGS]

    nodes_of_name: dict[str, list[int]] = {}
    for attribute in ("class", "id", "itemprop"):
        for node, value in tree.with_attribute(attribute).items():
            name = value[:_MAX_MARKED]
            nodes_of_name.setdefault(name, []).append(node)
    marked = [(_marks(name), nodes) for name, nodes in nodes_of_name.items()]
    body = tree.first_element("body") or 0
    for mark in range(len(MARKS)):
        has_mark = np.zeros(len(tree), dtype=bool)
        for marks, nodes in marked:
            if marks[mark]:
                has_mark[nodes] = True
        has_mark[: body + 1] = False  # the names of a whole page say what the page is
        is_below_mark = tree.below(has_mark)
        rows += [is_below_mark[first], has_mark[container]]

    rows.append(hidden(tree)[first])
    depth = tree.depth[container].astype(np.float32)
    flags = np.array(rows, dtype=np.float32)
    return np.concatenate([flags, depth[None]])


@lru_cache(maxsize=1 << 15)
def _marks(value: str) -> tuple[bool, ...]:
    """Return which marks a class, an id or a property has; the pages of a site have the
    same ones again and again.
    """
    return tuple(mark.search(value) is not None for mark in MARKS)


def _heading_features(lines: PageLines, bold_share: NDArray[np.float32]) -> Floats:
    """Return which part the headings above and below each line name, and how far they
    are.
    """
    texts = lines.texts
    numbers = np.arange(len(lines))
    parts = np.array([part_of_heading(text) for text in texts])
    is_tagged = lines.in_tags(HEADING_TAGS)
    is_heading = _is_heading(texts, parts, is_tagged, bold_share)

    rows: list[NDArray[np.generic]] = [is_tagged, is_heading]
    for part in _HEADED_PARTS:
        names_part = is_heading & (parts == part)
        distances = _distances(names_part, numbers)
        rows += [names_part, *distances]
    rows += _distances(is_heading, numbers)
    for headings in (is_heading, is_tagged):
        part_above = _part_above(headings, parts, numbers)
        rows += [part_above == part for part in _HEADED_PARTS]
    float_rows = [np.asarray(row, dtype=np.float32) for row in rows]
    return np.array(float_rows)


def _is_heading(
    texts: Sequence[str],
    parts: NDArray[np.int64],
    is_tagged: NDArray[np.bool_],
    bold_share: NDArray[np.float32],
) -> NDArray[np.bool_]:
    """Return which lines are headings by their tag, or short and bold or with a colon,
    or short and named like a part.
    """
    lengths = np.array([len(text) for text in texts])
    ends_with_colon = np.array([text.endswith(":") for text in texts])
    is_bold = bold_share > _MIN_BOLD_SHARE
    is_emphasized = is_bold | ends_with_colon
    is_short = lengths <= _MAX_BOLD_HEADING
    names_part = (parts > 0) & (lengths <= SHORT_HEADING)
    is_short_and_bold = is_short & is_emphasized
    is_heading: NDArray[np.bool_] = is_tagged | is_short_and_bold | names_part
    return is_heading


def _part_above(
    headings: NDArray[np.bool_], parts: NDArray[np.int64], numbers: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return for each line the part that the last heading before it names, 0 for none."""
    names_part = headings & (parts > 0)
    named = np.where(names_part, numbers, -1)
    last = np.maximum.accumulate(named)
    last_part = parts[np.maximum(last, 0)]
    return np.where(last >= 0, last_part, 0)


def _distances(
    marked: NDArray[np.bool_], numbers: NDArray[np.int64]
) -> list[NDArray[np.generic]]:
    """Return how many lines ago, and in how many lines, something is true."""
    lines_ago = _distance(marked, numbers)
    lines_until = _distance(marked[::-1], numbers)[::-1]
    return [lines_ago, lines_until]


def _distance(marked: NDArray[np.bool_], numbers: NDArray[np.int64]) -> Floats:
    last_marked = np.where(marked, numbers, -_MAX_DISTANCE)
    last = np.maximum.accumulate(last_marked)
    distance = np.minimum(numbers - last, _MAX_DISTANCE)
    return np.log1p(distance).astype(np.float32)


def _neighbour_features(words: Floats, position: NDArray[np.uint64]) -> Floats:
    """Return the lines before and after, alone and as the mean of several."""
    shared = words[:_SHARED]
    keys = position.astype(np.float64) + 1
    rows: list[NDArray[np.generic]] = []
    for step in _NEIGHBOURS:
        neighbour_keys = _shifted(keys[None], step)[0]
        is_same_position = neighbour_keys == keys
        rows += [*_shifted(shared, step), is_same_position]

    line_count = words.shape[1]
    ones = np.ones(line_count)
    for width in _MEAN_WIDTHS:
        kernel = np.ones(2 * width + 1)
        counts = np.convolve(ones, kernel)[width:-width]
        for row in shared:
            sums = np.convolve(row, kernel)[width:-width]
            rows.append(sums / counts)
    return np.array(rows, dtype=np.float32)


def _shifted(rows: Floats | NDArray[np.float64], step: int) -> NDArray[np.generic]:
    """Return rows moved by some lines, with -1 where there is none."""
    moved = np.full_like(rows, -1)
    if step > 0:
        moved[:, step:] = rows[:, :-step]
    else:
        moved[:, :step] = rows[:, -step:]
    return moved


def _position_features(words: Floats, position: NDArray[np.uint64]) -> Floats:
    """Return the mean of all lines in the same position of the page, how many they are,
    and how many stand together here.
    """
    _, group = np.unique(position, return_inverse=True)
    counts = np.bincount(group)
    log_counts = np.log1p(counts)
    rows = [log_counts[group]]
    for row in words[:_SHARED]:
        means = np.bincount(group, row) / counts
        rows.append(means[group])
    is_start = np.diff(group, prepend=-1)
    starts = np.flatnonzero(is_start)
    lengths = np.diff([*starts.tolist(), len(group)])
    run_lengths = np.repeat(lengths, lengths)
    rows.append(np.log1p(run_lengths))
    return np.array(rows, dtype=np.float32)


def _page_features(lines: PageLines) -> Floats:
    """Return where each line stands on the page, and how far the page's heading is."""
    count = len(lines)
    numbers = np.arange(count)
    is_page_heading = lines.in_tags(_H1)
    rows = [
        numbers / count,
        np.full(count, np.log1p(count)),
        _distance(is_page_heading, numbers),
    ]
    return np.array(rows, dtype=np.float32)
