"""From bytes to text: BOM, then the transport's charset, then the page's own
declaration, then detection.

Declarations are trusted as browsers trust them, with one exception: a page that
declares UTF-8 and is not, or declares a legacy charset and is valid UTF-8 beyond ASCII,
is decoded as what it is. Both are everyday mistakes of servers.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from functools import lru_cache

from w3lib.encoding import resolve_encoding

from scythe.core.library import at_work, utf8_length

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BOM_BYTES = tuple(mark for mark, _ in _BOMS)
_DECLARED = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]{0,400}?(?:charset|encoding)"""
    rb"""\s*+=\s*+["']?+\s*+([a-z0-9_:.\-]{2,40})""",
    re.I,
)
_PRESCAN = 4096
"""Bytes in which the declaration is looked for first; sixteen times as many are searched
where there is none. Browsers read 1,024.
"""
_SAMPLE = 100_000
"""Bytes given to the detector, of the pieces that are more than ASCII. Chinese, Japanese,
Korean and Russian pages of the data folder in their legacy charsets, undeclared: the
first 100,000 bytes of a page gave 158 of 174, those of the pieces 164 (103 of 106 on
pages put aside); what is still wrong are English pages with a menu of languages.
"""
_PIECE = re.compile(rb"[^<>\r\n]++")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_NOT_ASCII_RUN = re.compile(r"[^\x00-\x7f]{2,}")

_MORE_LABELS = {
    "x-gbk": "gbk",
    "x-x-big5": "big5",
    "x-user-defined": "cp1252",
    "unicode": "utf-8",
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
}
"""Labels of the WHATWG Encoding standard that w3lib does not know, or takes by their
word: a declaration of UTF-16 that could be read as ASCII is wrong by that fact.
"""
_NOT_CHARSETS = frozenset(
    {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"}
)
"""Codecs of Python from bytes to text in which no page is written."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the codec that gave it, and whether that is known or guessed."""

    text: str
    encoding: str
    certain: bool


def decode(data: bytes, charset: str | None = None) -> Decoded:
    """Return the text of a page; undecodable bytes become U+FFFD, never an error.

    `charset` is what the transport said (the HTTP header), which stands above the
    page's own declaration.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _decoded(data.removeprefix(mark), name, certain=True)

    declared = codec_of(charset) or codec_of(_declared_label(data))
    utf8 = _decode_utf8(data)
    is_declared_utf8 = declared == "utf-8"
    if utf8 is not None and (is_declared_utf8 or not utf8.isascii()):
        return Decoded(utf8, "utf-8", certain=True)
    utf16 = _utf16_without_bom(data)
    if utf16 is not None:
        return _decoded(data, utf16, certain=False)
    if utf8 is not None and declared in (None, "cp1252"):
        return Decoded(utf8, "utf-8", certain=True)
    if is_declared_utf8 and _mostly_utf8(data):
        return _decoded(data, "utf-8", certain=True)
    if declared is not None and not is_declared_utf8:
        return _decoded(data, declared, certain=True)
    return _decoded(data, _detected(data), certain=False)


def _decoded(data: bytes, codec: str, *, certain: bool) -> Decoded:
    text = data.decode(codec, "replace")
    return Decoded(text, codec, certain=certain)


def form_charset(data: bytes, charset: str | None = None) -> str:
    """Return the charset in which browsers send the forms of a page: the one it is in.

    A page of nothing but ASCII is in the charset it declares, which its forms are then
    sent in, although it reads as UTF-8.
    """
    if data.isascii():
        return codec_of(charset) or codec_of(_declared_label(data)) or "utf-8"
    return decode(data, charset).encoding


@dataclass(frozen=True)
class PageText:
    """A page as text: what the parser and the browser are both given, so that they see
    the same page.
    """

    text: str
    encoding: str | None
    cut: tuple[str, ...]
    as_utf8: bytes | None = field(default=None, repr=False, compare=False)
    """The same in UTF-8, where the page came in it and so need not be encoded again."""

    @classmethod
    def in_utf8(cls, page: bytes, length: int, cut: tuple[str, ...]) -> PageText:
        """Return a page in UTF-8 of so many characters, whose text is made when it is
        asked for: the compiled core reads the bytes.
        """
        known = object.__new__(cls)
        vars(known).update(encoding="utf-8", cut=cut, as_utf8=page, _length=length)
        return known

    def __getattr__(self, name: str) -> str:
        known = vars(self)
        if name != "text" or "_length" not in known:
            raise AttributeError(name)
        text = str(known["as_utf8"], "utf-8")
        known["text"] = text
        return text

    @property
    def length(self) -> int:
        """The characters of the page."""
        known: int | None = vars(self).get("_length")
        return len(self.text) if known is None else known

    def utf8(self) -> bytes:
        """Return the text in UTF-8."""
        return self.text.encode() if self.as_utf8 is None else self.as_utf8


def page_text(
    html: bytes | str, max_bytes: int, charset: str | None = None
) -> PageText:
    """Return a page's text, at most `max_bytes` of it; text that was given as such has
    no encoding.
    """
    cut = ("bytes",) if len(html) > max_bytes else ()
    html = html[:max_bytes]
    if isinstance(html, bytes):
        length = _length_in_utf8(html, charset) if at_work() else None
        if length is not None:
            return PageText.in_utf8(html, length, cut)
        decoded = decode(html, charset)
        is_utf8 = decoded.encoding == "utf-8" and "\ufffd" not in decoded.text
        as_utf8 = html.removeprefix(codecs.BOM_UTF8) if is_utf8 else None
        return PageText(decoded.text, decoded.encoding, cut, as_utf8)
    return PageText(_without_lone_surrogates(html), None, cut)


def _length_in_utf8(data: bytes, charset: str | None) -> int | None:
    """Return the number of characters where `decode` would take the bytes for UTF-8 as
    they are, by the compiled core; None for others, and where it is not at work.
    """
    if any(map(data.startswith, _BOM_BYTES)):
        return None
    length = utf8_length(data)
    if length is None or length < len(data):
        return length
    declared = codec_of(charset) or codec_of(_declared_label(data))
    return length if declared == "utf-8" else None


def _without_lone_surrogates(html: str) -> str:
    """Return the text without half characters, as JSON with cut emoji has them: they
    could be read but never written again.
    """
    try:
        html.encode()
    except UnicodeEncodeError:
        return html.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return html


@lru_cache(maxsize=256)
def codec_of(label: str | None) -> str | None:
    """Return the codec that browsers mean by a charset label; None for a label that
    names no charset.
    """
    if not label:
        return None
    label = label.strip().strip("\"'").lower()
    try:
        name = resolve_encoding(_MORE_LABELS.get(label, label))
        if name is None or name in _NOT_CHARSETS:
            return None
        b"a".decode(name, "replace")  # refuses byte-to-byte codecs: "zip", "hex"
    except (LookupError, ValueError):
        return None
    return name


def _declared_label(data: bytes) -> str | None:
    """Return the charset label in the page's `<meta>` or XML declaration."""
    declaration = _DECLARED.search(data[:_PRESCAN])
    if declaration is None and len(data) > _PRESCAN:
        declaration = _DECLARED.search(data[: 16 * _PRESCAN])
    return declaration.group(1).decode("ascii") if declaration else None


def _decode_utf8(data: bytes) -> str | None:
    """Return the text if it is UTF-8, else None."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A multi-byte character cut by a size limit at the very end is no evidence
        # against UTF-8.
        undecoded = len(data) - error.start
        if error.reason == "unexpected end of data" and undecoded < 4:
            return data.decode("utf-8", "replace")
        return None


def _mostly_utf8(data: bytes) -> bool:
    """Return whether a page declared as UTF-8 is so but for a few broken characters, as
    when a template cuts a teaser by bytes.
    """
    sample = data[:_SAMPLE]
    not_ascii = sum(byte >= 0x80 for byte in sample)
    broken = sample.decode("utf-8", "replace").count("\ufffd")
    return broken * 10 <= not_ascii  # a bound that was set, not tuned


def _utf16_without_bom(data: bytes) -> str | None:
    """Return which UTF-16 the bytes are: it shows in markup as every second byte zero,
    which no other charset has.
    """
    sample = data[:1024]
    if len(sample) < 4:
        return None
    half = len(sample) // 2
    many, few = 0.7 * half, 0.1 * half  # bounds that were set, not tuned
    even_zeros = sample[0::2].count(0)
    odd_zeros = sample[1::2].count(0)
    if odd_zeros > many and even_zeros < few:
        return "utf-16-le"
    if even_zeros > many and odd_zeros < few:
        return "utf-16-be"
    return None


def _detected(data: bytes) -> str:
    """Return the codec that the bytes look like."""
    from turbohtml.detect import Detection, detect_all

    # The detector honours <meta> too, which has been found wrong by now: it is not asked
    # about tags.
    sample = _non_ascii_sample(data)
    for match in detect_all(sample, Detection(excluded=frozenset({"UTF-8"}))):
        codec = codec_of(match.encoding)
        if codec is None or codec == "utf-8":
            continue
        if not _is_wide(codec):
            return codec
        text = sample.decode(codec, "ignore")
        if _reads_as_words(text):
            return codec
    return "cp1252"


def _non_ascii_sample(data: bytes) -> bytes:
    """Return the pieces of a page, between tags and line ends, that have more than
    ASCII: scripts and style at the beginning of a page tell nothing.

    No charset has the bytes that separate pieces inside its letters.
    """
    pieces: list[bytes] = []
    size = 0
    for piece in _PIECE.finditer(data):
        if not piece[0].isascii():
            pieces.append(piece[0])
            size += len(piece[0])
        if size >= _SAMPLE:
            break
    return b"\n".join(pieces)[:_SAMPLE]


def _is_wide(codec: str) -> bool:
    """Return whether a charset has letters of several bytes."""
    return len("\u4e00\uac00".encode(codec, "ignore")) > 0


def _reads_as_words(text: str) -> bool:
    """Return whether letters beyond ASCII stand side by side, as those of a script do
    that needs several bytes a letter.

    A stray sign in an English page, half an entity and half UTF-8, can be read as one
    rare Chinese letter, but stands alone.
    """
    alone_or_not = len(_NOT_ASCII.findall(text))
    side_by_side = sum(map(len, _NOT_ASCII_RUN.findall(text)))
    return 2 * side_by_side >= alone_or_not
