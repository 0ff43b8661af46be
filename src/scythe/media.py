"""What bytes are, before anything parses them: a page, or a feed, a sitemap, data, plain
text, a document, a picture, ...

Any bytes parse to some tree, so that a feed or a table would come out as glued text.
This module tells them apart, by what they are declared to be and by how they begin.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import PurePath


class MediaKind(StrEnum):
    """What an input is."""

    PAGE = "page"
    TEXT = "text"
    FEED = "feed"
    SITEMAP = "sitemap"
    DATA = "data"
    """JSON, a table or XML."""
    OTHER = "other"
    """A document, a picture, a recording, an archive, a program."""


@dataclass(frozen=True, slots=True)
class Media:
    """What an input is, in words, and what to do with it."""

    kind: MediaKind
    name: str
    advice: str

    @property
    def reason(self) -> str:
        """Why it has no content to extract and what to do, behind the input's name."""
        return f"is {self.name}, not a web page. {self.advice}"


_CONVERT = "Convert it to HTML first."
_UNPACK = "Unpack it and give the pages in it."
_SHOWN = "Give the page that shows it."
_PLAYED = "Give the page that plays it."
_NO_PAGE = "Give a web page."
_COLLECT = "`scythe collect add` follows it and reads the pages it links to."
_AS_IT_IS = "It needs no extraction: use the data as it is."

PAGE = Media(MediaKind.PAGE, "a web page", "")
PLAIN_TEXT = Media(MediaKind.TEXT, "plain text", "It is given as it is.")
RSS = Media(MediaKind.FEED, "a feed (RSS)", _COLLECT)
ATOM = Media(MediaKind.FEED, "a feed (Atom)", _COLLECT)
SITEMAP = Media(MediaKind.SITEMAP, "a sitemap", _COLLECT)
JSON = Media(MediaKind.DATA, "JSON data", _AS_IT_IS)
CSV = Media(MediaKind.DATA, "a table (CSV)", _AS_IT_IS)
TSV = Media(MediaKind.DATA, "a table (TSV)", _AS_IT_IS)
XML = Media(MediaKind.DATA, "XML data", _AS_IT_IS)
SVG = Media(MediaKind.OTHER, "an SVG image", _SHOWN)
PDF = Media(MediaKind.OTHER, "a PDF document", _CONVERT)
BINARY = Media(MediaKind.OTHER, "binary data", _NO_PAGE)
CODE = Media(MediaKind.OTHER, "a script or style sheet", _NO_PAGE)


def _other(name: str, advice: str) -> Media:
    return Media(MediaKind.OTHER, name, advice)


_MAGIC: tuple[tuple[bytes, Media], ...] = (
    (b"%PDF-", PDF),
    (b"\x89PNG\r\n", _other("a PNG image", _SHOWN)),
    (b"\xff\xd8\xff", _other("a JPEG image", _SHOWN)),
    (b"GIF8", _other("a GIF image", _SHOWN)),
    (b"PK\x03\x04", _other("a ZIP archive (or a DOCX, XLSX, EPUB file)", _UNPACK)),
    (b"\x1f\x8b", _other("gzip data", _UNPACK)),
    (b"Rar!\x1a\x07", _other("a RAR archive", _UNPACK)),
    (b"7z\xbc\xaf\x27\x1c", _other("a 7z archive", _UNPACK)),
    (b"BZh9", _other("a bzip2 archive", _UNPACK)),
    (b"\xfd7zXZ\x00", _other("an XZ archive", _UNPACK)),
    (b"\x28\xb5\x2f\xfd", _other("a Zstandard archive", _UNPACK)),
    (b"\xd0\xcf\x11\xe0", _other("an old Office document", _CONVERT)),
    (b"{\\rtf", _other("an RTF document", _CONVERT)),
    (b"%!PS", _other("a PostScript document", _CONVERT)),
    (b"\x7fELF", _other("a program", _NO_PAGE)),
    (b"SQLite format 3\x00", _other("an SQLite database", _NO_PAGE)),
    (b"OggS", _other("an Ogg recording", _PLAYED)),
    (b"ID3", _other("an MP3 recording", _PLAYED)),
    (b"wOFF", _other("a font", _NO_PAGE)),
    (b"wOF2", _other("a font", _NO_PAGE)),
)
_MAGIC_WITHIN: tuple[tuple[bytes, int, bytes, Media], ...] = (
    (b"RIFF", 8, b"WEBP", _other("a WebP image", _SHOWN)),
    (b"RIFF", 8, b"WAVE", _other("a WAV recording", _PLAYED)),
    (b"RIFF", 8, b"AVI ", _other("an AVI video", _PLAYED)),
    (b"", 4, b"ftyp", _other("an MP4 video or an AVIF image", _SHOWN)),
)

_BY_MEDIA_TYPE = {
    "application/json": JSON,
    "text/json": JSON,
    "application/x-ndjson": JSON,
    "application/feed+json": Media(MediaKind.FEED, "a feed (JSON)", _COLLECT),
    "text/csv": CSV,
    "text/tab-separated-values": TSV,
    "application/pdf": PDF,
    "image/svg+xml": SVG,
    "text/css": CODE,
    "text/javascript": CODE,
    "application/javascript": CODE,
}
"""What servers declare. A page that is sent under one of these types is none in a
browser either.
"""
_BY_SUFFIX = {
    ".json": JSON,
    ".jsonl": JSON,
    ".ndjson": JSON,
    ".geojson": JSON,
    ".csv": CSV,
    ".tsv": TSV,
    ".css": CODE,
    ".js": CODE,
    ".mjs": CODE,
}
"""What names say of files that do not begin like a page."""
_TEXT_SUFFIXES = frozenset({".txt", ".md", ".markdown", ".rst", ".log", ".text"})

_BLANK = b" \t\r\n\f\v\x00\xef\xbb\xbf\xff\xfe"
"""White space in any charset, NUL (UTF-16), and byte-order marks."""
_SNIFFED = 1 << 16
"""Bytes that are looked at: the longest comment before an `<html>` on the wcxb pages has
3,800. A bound on work, not tuned.
"""
_SHORT = 128
"""Bytes that tell most pages, sooner than all that are looked at."""
_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
_MAX_CONTROL_SHARE = 0.05
"""Of the bytes of text: random bytes have 0.10, text none. A bound, not tuned."""

_TAG_NAMES = (
    b"html|head|body|title|meta|link|base|script|style|noscript|template|main|article"
    b"|section|header|footer|nav|aside|div|span|p|a|br|hr|h[1-6]|ul|ol|li|dl|dt|dd"
    b"|table|tbody|thead|tr|td|th|form|input|button|select|img|picture|figure|iframe"
    b"|video|audio|pre|code|blockquote|center|font|frameset|frame|b|i|u|em|strong"
    b"|small|big|tt|address|map|object|embed|fieldset|label|details|summary|dialog"
)
_TAG = re.compile(rb"</?(?:!doctype\s+html|" + _TAG_NAMES + rb")[\s/>]", re.IGNORECASE)
_PAGE_BEGINNING = re.compile(
    rb"<(?:!doctype\s+html|html|head|body)[\s/>]", re.IGNORECASE
)
_PROLOG = re.compile(
    rb"(?:\s++|<\?(?:(?!\?>).)*+\?>|<!--(?:(?!-->).)*+-->|<!doctype[^>\[]*+>)*+",
    re.IGNORECASE | re.DOTALL,
)
_ROOT = re.compile(rb"<([a-z_][\w:.-]*+)[\s/>]", re.IGNORECASE)
_RSS_1 = b"http://purl.org/rss/"
_ROOTS = {
    b"rss": RSS,
    b"feed": ATOM,
    b"urlset": SITEMAP,
    b"sitemapindex": SITEMAP,
    b"svg": SVG,
}
_JSON_BEGINNING = re.compile(
    rb"""\{\s*+(?:"[^"\\\n]*+"\s*+:|\}\s*+\Z)"""
    rb"""|\[\s*+(?:\{\s*+["}]|\[|"[^"\\]*+"\s*+[,\]]|-?\d[\d.eE+-]*+\s*+[,\]]"""
    rb"""|(?:true|false|null)\s*+[,\]]|\]\s*+\Z)"""
)
_DELIMITERS = ((b"\t", TSV, 1), (b";", CSV, 2), (b",", CSV, 1))
"""What separates the columns of a table, and how often in a line at least."""
_MIN_TABLE_LINES = 3
_MAX_TABLE_LINES = 50
"""Lines that must agree, and lines that are looked at. Bounds, not tuned."""
_QUOTED = re.compile(rb'"[^"\n]*+"')


def recognize(
    data: bytes | str, media_type: str | None = None, name: str | None = None
) -> Media:
    """Return what an input is.

    `media_type` is what the transport declared (a `Content-Type`), `name` the name of
    the file or the address. How the data begins counts for more than either, as far as
    it says anything. What is empty counts as a page.
    """
    if isinstance(data, bytes):
        first = data[:_SHORT].lstrip(_BLANK)
        if _PAGE_BEGINNING.match(first):
            return PAGE  # as most are: nothing else begins so
    if isinstance(data, str):
        beginning = data[:_SNIFFED].encode("utf-8", "replace")
        beginning = beginning.lstrip(_BLANK)
    else:
        beginning = data[:_SNIFFED]
        if known := _by_magic(beginning):
            return known
        beginning = _as_ascii(beginning)
    if not beginning or _PAGE_BEGINNING.match(beginning):
        return PAGE

    declared_type = (media_type or "").partition(";")[0]
    declared = declared_type.strip().lower()
    if declared in _BY_MEDIA_TYPE:
        return _BY_MEDIA_TYPE[declared]
    if beginning.startswith(b"<"):
        return _by_root(beginning)
    suffix = PurePath(name or "").suffix
    return _by_text(beginning, declared, suffix.lower())


def of_media_type(media_type: str) -> Media:
    """Return what is sent under a type that no page has."""
    known = _BY_MEDIA_TYPE.get(media_type)
    if known is None:
        return _other(media_type, "If it is one after all, save it and give the file.")
    return replace(known, name=f"{known.name} ({media_type})")


def _by_magic(beginning: bytes) -> Media | None:
    for magic, media in _MAGIC:
        if beginning.startswith(magic):
            return media
    for head, offset, magic, media in _MAGIC_WITHIN:
        if beginning.startswith(head) and beginning.startswith(magic, offset):
            return media
    return PDF if beginning[:64].lstrip(_BLANK).startswith(b"%PDF-") else None


def _as_ascii(beginning: bytes) -> bytes:
    """Return the beginning without marks and white space before it, and without the
    zeros that markup has in UTF-16.
    """
    zeros = beginning.count(0)
    beginning = beginning.lstrip(_BLANK)
    zero_share = zeros / max(len(beginning), 1)
    is_wide = 0.3 < zero_share < 0.8
    return beginning.replace(b"\0", b"") if is_wide else beginning


def _by_root(beginning: bytes) -> Media:
    """Return what markup is, by its first element; XML that declares itself as such is
    a page only if an element of HTML comes first.
    """
    prolog = _PROLOG.match(beginning)
    start = prolog.end() if prolog else 0
    root = _ROOT.match(beginning, start)
    is_xml = beginning[:5].lower() == b"<?xml"
    if root is None:
        return XML if is_xml and not _TAG.search(beginning) else PAGE
    name = root[1].lower()
    if name == b"rdf:rdf":
        return RSS if _RSS_1 in beginning else XML
    if name in _ROOTS:
        return _ROOTS[name]
    is_html = _TAG.match(beginning, start) is not None
    return XML if is_xml and not is_html else PAGE


def _by_text(beginning: bytes, declared: str, suffix: str) -> Media:
    """Return what something is that begins with no markup."""
    without_controls = beginning.translate(None, _CONTROLS)
    controls = len(beginning) - len(without_controls)
    if controls > _MAX_CONTROL_SHARE * len(beginning):
        return BINARY
    if _JSON_BEGINNING.match(beginning):
        return JSON
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]

    is_declared_text = declared == "text/plain" or suffix in _TEXT_SUFFIXES
    if not is_declared_text and _TAG.search(beginning):
        return PAGE
    return _table(beginning) or PLAIN_TEXT


def _table(beginning: bytes) -> Media | None:
    """Return which table the lines are, None where they have no columns in common.

    Commas of prose have a space behind them, those of tables hardly ever.
    """
    lines = _QUOTED.sub(b'""', beginning).splitlines()
    if len(beginning) >= _SNIFFED - len(_BLANK):
        lines = lines[:-1]
    filled = [line for line in lines if line.strip()]
    lines = filled[:_MAX_TABLE_LINES]
    if len(lines) < _MIN_TABLE_LINES:
        return None

    for delimiter, media, least in _DELIMITERS:
        if delimiter == b"," and _is_prose(lines):
            continue
        counts = {line.count(delimiter) for line in lines}
        if len(counts) == 1 and counts.pop() >= least:
            return media
    return None


def _is_prose(lines: Sequence[bytes]) -> bool:
    return any(b", " in line for line in lines)
