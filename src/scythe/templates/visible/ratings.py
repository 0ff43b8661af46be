"""How a product is rated and by how many, from what the page shows: "4.3 out of 5",
labels of stars for screen readers, bars of stars by their width, "(123 reviews)".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from scythe.templates.visible.page import MIN_REPEATED, VisiblePage
from scythe.templates.visible.words import REVIEW_NOUNS, split_words

MAX_RATING_TEXT = 120
"""Characters of a text that states a rating; longer ones are reviews."""
LINES_BEFORE_TITLE = 8
LINES_AFTER_TITLE = 60
"""Lines around the title in which the rating of the page's product stands. Beyond them
are other products and single reviews; where those are all there is, the first summary
of reviews counts.
"""
LINES_TO_COUNT = 4
"""Lines between a rating and the number of reviews."""

_NUMBER = r"(?P<value>10|\d(?:[.,]\d{1,3})?)"
_OF = "out of|of|/|von|sur|de|su|van|av|af|z|ze|iz|из|από|/|на|din|üzerinden|out-of"
_OF_FIVE = re.compile(
    rf"(?<![\d.,]){_NUMBER}\s*(?:stars?|étoiles?|sterne|estrellas|stelle|sterren)?"
    rf"\s*(?:{_OF})\s*(?P<best>5|10)(?:[.,]0+)?(?![\d.,%])",
    re.IGNORECASE,
)
_FIVE_FIRST = re.compile(
    r"(?:5\s?つ星のうち|5つ星中|满分\s?5\s?分)\s*(?P<value>\d(?:[.,]\d)?)"
)
_STARS = re.compile(
    rf"(?<![\d.,]){_NUMBER}\s*(?:-?\s?stars?\b|ratings?\b|★|étoiles|sterne|estrellas|stelle|"
    r"sterren|stjärnor|stjerner|tähteä|gwiazd|hvězd|csillag|yıldız|звезд|星)",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"(?:rated|rating|average rating|score|bewertung|note|valoración|puntuación|"
    rf"avaliação|valutazione|beoordeling|betyg|bedømmelse|ocena|hodnocení|értékelés|"
    rf"puan|рейтинг|оценка|βαθμολογία|評価|评分|평점)\s*:?\s*{_NUMBER}(?![\d.,%])",
    re.IGNORECASE,
)
_BARE = re.compile(r"\(?(?P<value>[0-5][.,]\d{1,2})\)?")
_RATING_PATTERNS = (_OF_FIVE, _FIVE_FIRST, _LABELLED, _STARS)
_NOUNS = "|".join(split_words(REVIEW_NOUNS))
_COUNT = r"\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+|\d{1,7}"
_REVIEWS = re.compile(
    rf"(?<![\d.,])(?P<count>{_COUNT})\s*\+?\s*(?:{_NOUNS})(?![^\W\d_])", re.IGNORECASE
)
_REVIEWS_FIRST = re.compile(
    rf"(?<![^\W\d_])(?:{_NOUNS})\s*[:(]\s*(?P<count>{_COUNT})", re.IGNORECASE
)
_BARE_COUNT = re.compile(rf"\(\s*(?P<count>{_COUNT})\s*\)")
_WIDTH = re.compile(r"(?:^|;)\s*width\s*:\s*(\d{1,3}(?:\.\d+)?)%", re.IGNORECASE)
_STAR_WORDS = frozenset("star stars rating ratings rate rateit score".split())
_TEXT_ATTRIBUTES = ("aria-label", "title", "alt", "data-rating", "data-score")


class Rating(NamedTuple):
    """A mean rating and the number of reviews, either of which may be unknown."""

    value: str | None
    reviews: str | None


def find_rating(page: VisiblePage) -> Rating:
    """Return the rating of the page's product and its number of reviews."""
    first = max(page.title_line - LINES_BEFORE_TITLE, 0)
    stop = min(page.title_line + LINES_AFTER_TITLE + 1, len(page.texts))
    near = range(first, stop)
    rating_line, value = min(_statements(page, near), default=(None, None))
    return Rating(value, _review_count(page, rating_line, near))


def _statements(page: VisiblePage, near: range) -> Iterator[tuple[int, str]]:
    """Yield the ratings that some lines, labels of elements in them and bars of stars
    state.
    """
    for line in near:
        text = page.texts[line]
        if len(text) > MAX_RATING_TEXT or not _can_be_own(page, line):
            continue
        value = stated_rating(text)
        if value is None and _BARE.fullmatch(text) and _is_rating_class(page, line):
            value = text.strip("()").replace(",", ".")
        if value is not None:
            yield line, value

    for name in _TEXT_ATTRIBUTES:
        for node, text in page.tree.with_attribute(name).items():
            line = page.line_at(node)
            is_long = len(text) > MAX_RATING_TEXT
            if line not in near or is_long or not _can_be_own(page, line):
                continue
            value = stated_rating(text)
            if value is None and name.startswith("data-"):
                bare = _BARE.fullmatch(text.strip())
                value = bare["value"] if bare else None
            if value is not None:
                yield line, value

    for node, style in page.tree.with_attribute("style").items():
        line = page.line_at(node)
        if line not in near or not _can_be_own(page, line):
            continue
        width = _WIDTH.search(style)
        if not width or not _is_star_bar(page, node):
            continue
        share = float(width[1]) / 100
        if 0 < share <= 1:
            rating = f"{5 * share:.2f}"
            yield line, rating.rstrip("0").rstrip(".")


@lru_cache(maxsize=1 << 14)
def stated_rating(text: str) -> str | None:
    """Return the rating that a short text states, with a point before the decimals."""
    for pattern in _RATING_PATTERNS:
        match = pattern.search(text)
        if not match:
            continue
        value = match["value"].replace(",", ".")
        best = match["best"] if "best" in pattern.groupindex else None
        if best is None and float(value) > 5:
            continue
        if best is not None and float(value) > float(best):
            continue
        return value
    return None


def _review_count(
    page: VisiblePage, rating_line: int | None, near: range
) -> str | None:
    """Return the number of reviews: beside the rating, else near the title."""
    if rating_line is not None:
        stop = min(rating_line + LINES_TO_COUNT, len(page.texts) - 1)
        for line in range(max(rating_line - 1, 0), stop + 1):
            text = page.texts[line][:MAX_RATING_TEXT]
            count = _stated_count(text) or _bare_count(text)
            if count:
                return count

    for line in near:
        text = page.texts[line]
        if len(text) <= MAX_RATING_TEXT and _can_be_own(page, line):
            count = _stated_count(text)
            if count:
                return count
    return None


@lru_cache(maxsize=1 << 14)
def _stated_count(text: str) -> str | None:
    match = _REVIEWS.search(text) or _REVIEWS_FIRST.search(text)
    return re.sub(r"\D", "", match["count"]) if match else None


def _bare_count(text: str) -> str | None:
    match = _BARE_COUNT.search(text)
    return re.sub(r"\D", "", match["count"]) if match else None


def _can_be_own(page: VisiblePage, line: int) -> bool:
    """Return whether a line can be of the page's product and not of another one."""
    is_repeated = page.repeats[line] >= 2 * MIN_REPEATED
    return not is_repeated and not page.is_aside(line)


def _is_rating_class(page: VisiblePage, line: int) -> bool:
    node = int(page.lines.first[line])
    parent = int(page.tree.parent[node])
    if parent < 0:
        return False
    words = page.class_words(parent)
    above = int(page.tree.parent[parent])
    if above >= 0:
        words |= page.class_words(above)
    return bool(words & _STAR_WORDS)


def _is_star_bar(page: VisiblePage, node: int) -> bool:
    words = set(page.class_words(node))
    parent = int(page.tree.parent[node])
    if parent >= 0:
        words |= page.class_words(parent)
    return bool(words & _STAR_WORDS)
