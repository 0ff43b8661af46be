"""The title of the content, without the site's name.

What the page shows as its top heading and what its head declares as title back each
other up: a heading that begins or ends the declared title is the title, and the rest of
the declared one is the site's name. A heading with more than the declared title in it is
cut to it. Where they disagree, the site's part is cut from the declared title, or the
heading wins if it means the same in other words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import accumulate

from scythe.content.metadata.jsonld import type_names
from scythe.content.metadata.signals import Signals
from scythe.content.metadata.values import (
    SourcedValue,
    as_list,
    clean_text,
    match_key,
)
from scythe.urls import bare_hostname

SEPARATOR = re.compile(r"\s+(?:[|\-–—•·»«:/>~]|::|\|\|)\s+|\s*[|｜»•]\s*")  # noqa: RUF001
_WORD = re.compile(r"\w+")
_SITE_NAME_TAGS = (
    "application-name",
    "apple-mobile-web-app-title",
    "dc.publisher",
    "twitter:app:name:iphone",
)
_SITE_KEY_TAGS = ("og:site_name", "application-name", "apple-mobile-web-app-title")
_MAX_SITE_NAME = 120
"""Characters of a site's name; longer ones are cut. A plain bound, not tuned."""
_SITE_TYPES = (
    "WebSite",
    "Organization",
    "NewsMediaOrganization",
    "Corporation",
    "Blog",
)
_MIN_HEADING_SHARE = 0.4
"""A heading backs a declared title if it makes up at least this part of it; a shorter
one may be the site's section. 0.2 to 0.6 move the agreement on wcxb by less than 2
points; chosen on one half of the domains, it does as well on the other.
"""
_MIN_COMMON_WORDS, _MIN_COMMON_WORDS_ARTICLE = 0.5, 0.25
"""Part of a heading's words that the declared title must share to mean the same;
less on pages that call themselves articles, whose heading is hardly ever a slogan.
"""
_MIN_WORDS_WITHIN = 2
"""Words of a declared title that is looked for within a heading or another title; a
single word is part of many. A plain bound, not tuned.
"""
_MAX_ARTICLE = 3
"""Letters before a declared title that stay in the heading: "The", "Les", "Die" are
part of it. A plain bound, not tuned.
"""
_MIN_SITE_KEY = 4
_MAX_SITE_KEY_RATIO = 2.2
"""The shorter of two spellings of a site's name has at least so many letters, and a part
of a title is at most so many times as long as the name it contains. Plain bounds, not
tuned.
"""


def find_site_name(signals: Signals) -> SourcedValue | None:
    """Return the name of the site as it is declared."""
    declared = (
        *signals.meta_values(("og:site_name",)),
        *_structured_site_names(signals),
        *signals.meta_values(_SITE_NAME_TAGS),
    )
    for candidate in declared:
        name = clean_text(candidate.value, _MAX_SITE_NAME)
        if name:
            return SourcedValue(name, candidate.source)
    return None


def _structured_site_names(signals: Signals) -> Iterator[SourcedValue]:
    for item in signals.jsonld:
        if "WebSite" in type_names(item):
            for name in as_list(item.get("name")):
                if isinstance(name, str):
                    yield SourcedValue(name, "json-ld WebSite.name")

    for main in signals.main_jsonld:
        for publisher in as_list(main.item.get("publisher")):
            if not isinstance(publisher, dict):
                continue
            organization = signals.dereference(publisher, "name")
            for name in as_list(organization.get("name")):
                if isinstance(name, str):
                    yield SourcedValue(name, "json-ld publisher")


def find_title(signals: Signals, site_keys: frozenset[str]) -> SourcedValue | None:
    """Return the title of the content; `site_keys` are the names the site may go by
    (`find_site_keys`).
    """
    declared = signals.declared_titles
    headings = signals.top_headings
    if declared:
        headings = [
            (node, text)
            for node, text in headings
            if not is_site(text, site_keys) and not signals.links_home(node)
        ]
    headlines = list(_headlines(signals))
    titles = declared + [headline.value for headline in headlines]
    texts = [text for _, text in headings]

    backed = _backed_heading(texts, titles, str.startswith)
    if backed is not None:
        return SourcedValue(_strip_site_of_backed(backed, titles, site_keys), "h1")
    backed = _backed_heading(texts, titles, str.endswith)
    if declared and (backed is not None or not headings):
        standing = _standing_part(signals, declared[0], site_keys)
        if standing is not None:
            return SourcedValue(standing, "title")
    if backed is not None:
        return SourcedValue(strip_site(backed, site_keys), "h1")
    if not declared:
        if headings:
            return SourcedValue(texts[0], "h1")
        return headlines[0] if headlines else None

    for node, text in headings:
        inner = _title_within(signals.heading_pieces(node), text, declared, site_keys)
        if inner is not None:
            return SourcedValue(inner, "h1")
    backed = _backed_heading(texts, declared, _stands_within)
    if backed is not None:
        return SourcedValue(backed, "h1")
    title = declared[0]
    if len(headings) == 1 and _shares_words(signals, texts[0], title):
        return SourcedValue(strip_site(texts[0], site_keys), "h1")
    source = "title" if signals.title_text else "og:title"
    return SourcedValue(_declared_part(declared, site_keys), source)


def _backed_heading(
    headings: list[str], titles: list[str], has_border: Callable[[str, str], bool]
) -> str | None:
    """Return the first heading at the border of a title (`str.startswith` for those
    that begin it, `str.endswith` for those that end it) that is enough of it.
    """
    title_keys = [match_key(title) for title in titles]
    for heading in headings:
        heading_key = match_key(heading)
        if not heading_key:
            continue
        for title_key in title_keys:
            if len(heading_key) < _MIN_HEADING_SHARE * len(title_key):
                continue
            if has_border(title_key, heading_key):
                return heading
    return None


def _stands_within(title_key: str, heading_key: str) -> bool:
    """Return whether a heading stands within a title: between the name of the shop and
    that of its department, say.
    """
    return heading_key in title_key


def _strip_site_of_backed(
    heading: str, titles: list[str], site_keys: frozenset[str]
) -> str:
    """Return a heading that begins a title without the site's name.

    If the heading is all of the title, the name may stand at either end. If the title
    goes on, the name follows it, and the heading's first part is its own even where it
    resembles the site's name (a maker's product).
    """
    heading_key = match_key(heading)
    if any(heading_key == match_key(title) for title in titles):
        return strip_site(heading, site_keys)
    return _strip_site_at_end(heading, site_keys)


def _standing_part(
    signals: Signals, title: str, site_keys: frozenset[str]
) -> str | None:
    """Return the part of `<title>` that stands on the page as a heading of any rank.

    Books and forums show their own name on top and the title of the page below it. The
    last part is the site's own name, declared or not, unless the first one is.
    """
    parts = [title[part].strip() for part in _parts(title)]
    if len(parts) < 2:
        return None
    if match_key(parts[0]) not in site_keys:
        parts = parts[:-1]
    headings = signals.top_headings + signals.lesser_headings
    standing = {match_key(text) for _, text in headings} - site_keys
    for part in parts:
        if match_key(part) in standing:
            return part
    return None


def _title_within(
    pieces: list[str], heading: str, declared: list[str], site_keys: frozenset[str]
) -> str | None:
    """Return the declared title if the heading has more beside it.

    Before it that may be any words ("Thread:", a date, a section). After it only what
    stands in an element of its own, since headings add subtitles to their title.
    """
    piece_ends = _piece_ends(pieces)
    heading_key = match_key(heading)
    heading_words = _words(heading)
    parts = [strip_site(title, site_keys) for title in declared]
    parts += [first_part(title, site_keys) for title in declared]
    for part in parts:
        part_key = match_key(part)
        part_words = _words(part)
        if len(part_words) < _MIN_WORDS_WITHIN:
            continue
        before = len(heading_key) - len(part_key)
        ends_with_part = heading_words[-len(part_words) :] == part_words
        if before > _MAX_ARTICLE and ends_with_part:
            return part
        if heading_key.startswith(part_key) and len(part_key) in piece_ends:
            return part
    return None


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _piece_ends(pieces: list[str]) -> set[int]:
    """Return where the pieces of a heading end, in letters of its `match_key`."""
    lengths = [len(match_key(piece)) for piece in pieces]
    return set(accumulate(lengths))


def _declared_part(declared: list[str], site_keys: frozenset[str]) -> str:
    """Return the part of the declared title that another declared title has too, else
    its first part.
    """
    title = declared[0]
    title_key = match_key(title)
    for other in declared[1:]:
        other_key = match_key(other)
        if other_key == title_key or is_site(other, site_keys):
            continue
        if len(_words(other)) < _MIN_WORDS_WITHIN:
            continue
        if title_key.startswith(other_key):
            return _strip_site_at_end(other, site_keys)
        if title_key.endswith(other_key):
            return strip_site(other, site_keys)
    return first_part(title, site_keys)


def _shares_words(signals: Signals, heading: str, title: str) -> bool:
    """Return whether a heading has enough words of the title to mean the same."""
    words = set(_words(heading))
    common_words = words.intersection(_words(title))
    share = _MIN_COMMON_WORDS
    if is_article(signals):
        share = _MIN_COMMON_WORDS_ARTICLE
    least = share * max(len(words), 1)
    return len(common_words) >= least


def is_article(signals: Signals) -> bool:
    """Return whether the page declares itself an article or a post."""
    for og_type in signals.meta_tags.get("og:type", ()):
        if og_type.lower() == "article":
            return True
    for main in signals.main_jsonld:
        for name in type_names(main.item):
            if name.endswith(("Article", "Posting")):
                return True
    return False


def _headlines(signals: Signals) -> Iterator[SourcedValue]:
    for main in signals.main_jsonld:
        for headline in as_list(main.item.get("headline"))[:1]:
            text = clean_text(headline)
            if text:
                yield SourcedValue(text, f"{main.syntax} headline")


def find_site_keys(signals: Signals) -> frozenset[str]:
    """Return the names the site may go by in a title, as `match_key` has them: declared
    names, the publisher's, and the host's.

    Not what repeats the whole of a `<title>` of several parts: some sites fill every
    name they declare with it.
    """
    names = [declared.value for declared in signals.meta_values(_SITE_KEY_TAGS)]
    names += [declared.value for declared in _structured_site_names(signals)]
    for item in signals.jsonld:
        if not set(_SITE_TYPES).isdisjoint(type_names(item)):
            names += as_list(item.get("name"))[:1]

    host = bare_hostname(signals.address)
    labels_without_suffix = host.split(".")[:-1]
    longest_label = max(labels_without_suffix, key=len, default="")
    names += [host, longest_label]

    cleaned = map(clean_text, names)
    keys = set(filter(None, map(match_key, cleaned)))
    if len(_parts(signals.title_text)) > 1:
        keys.discard(match_key(signals.title_text))
    return frozenset(keys)


def is_site(part: str, site_keys: frozenset[str]) -> bool:
    """Return whether a part of a title is the site's name, in full, shortened, or with
    a few words more ("Example News"), or nothing at all.
    """
    part_key = match_key(part)
    if not part_key:
        return True
    return any(_is_same_site(part_key, site_key) for site_key in site_keys)


def _is_same_site(part_key: str, site_key: str) -> bool:
    if part_key == site_key:
        return True
    if len(part_key) > len(site_key):
        longer, shorter = part_key, site_key
    else:
        longer, shorter = site_key, part_key
    if len(shorter) < _MIN_SITE_KEY:
        return False
    if len(part_key) > _MAX_SITE_KEY_RATIO * len(site_key):
        return False
    return longer.startswith(shorter) or longer.endswith(shorter)


def strip_site(title: str, site_keys: frozenset[str]) -> str:
    """Return a title without the site's name at its end or beginning."""
    without_end = _strip_site_at_end(title, site_keys)
    parts = _parts(without_end)
    while len(parts) > 1 and is_site(without_end[parts[0]], site_keys):
        parts = parts[1:]
    if not parts:
        return title
    start = parts[0].start
    return without_end[start:].strip()


def _strip_site_at_end(title: str, site_keys: frozenset[str]) -> str:
    """Return a title without the site's name at its end."""
    parts = _parts(title)
    while len(parts) > 1 and is_site(title[parts[-1]], site_keys):
        parts = parts[:-1]
    if not parts:
        return title
    end = parts[-1].stop
    return title[:end].strip()


def first_part(title: str, site_keys: frozenset[str]) -> str:
    """Return the first part of a title that is not the site's name; what follows is
    sections and slogans more often than title.
    """
    parts = [title[part].strip() for part in _parts(title)]
    for part in parts:
        if not is_site(part, site_keys):
            return part
    return parts[0] if parts else title


def _parts(title: str) -> list[slice]:
    """Return the parts of a title between its separators that are not blank."""
    parts = []
    start = 0
    for separator in SEPARATOR.finditer(title):
        parts.append(slice(start, separator.start()))
        start = separator.end()
    parts.append(slice(start, len(title)))
    return [part for part in parts if title[part].strip()]
