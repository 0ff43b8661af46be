"""From bytes to text: BOM, then the transport's charset, then the page's own declaration, then detection.

Declarations are trusted as browsers trust them, with one exception: a page that declares UTF-8 and is not, or declares a
legacy charset and is valid UTF-8 beyond ASCII, is decoded as what it is. Both are everyday mistakes of servers.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]{0,400}?(?:charset|encoding)"""
    rb"""\s*+=\s*+["']?+\s*+([a-z0-9_:.\-]{2,40})""",
    re.I,
)
_PRESCAN = 4096
_SAMPLE = 100_000
_BEYOND = re.compile(r"[^\x00-\x7f]")
_TOGETHER = re.compile(r"[^\x00-\x7f]{2,}")
"""Bytes given to the detector: more changes nothing on the zh pages, less mistakes pages that begin with much script."""

_ALIASES = {
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "chinese": "gb18030",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "korean": "cp949",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "x-user-defined": "cp1252",
    "unicode": "utf-8",
    "utf8": "utf-8",
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
}
"""Charset labels whose Python codec of the same name is narrower than what browsers decode (WHATWG Encoding).

A declaration of UTF-16 that could be read as ASCII is wrong by that fact, so it means UTF-8 there.
"""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the codec that gave it, and whether that is known or guessed."""

    text: str
    encoding: str
    certain: bool


def decode(data: bytes, charset: str | None = None) -> Decoded:
    """Decode a page; undecodable bytes become U+FFFD, never an error.

    `charset` is what the transport said (the HTTP header), which stands above the page's own declaration.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(name, "replace"), name, certain=True)
    declared = codec_of(charset) or codec_of(_declared(data))
    utf8 = _decode_utf8(data)
    if utf8 is not None and (declared == "utf-8" or not utf8.isascii()):
        return Decoded(utf8, "utf-8", certain=True)
    if (wide := _utf16_without_bom(data)) is not None:
        return Decoded(data.decode(wide, "replace"), wide, certain=False)
    if utf8 is not None and declared in (None, "cp1252"):
        return Decoded(utf8, "utf-8", certain=True)
    if declared == "utf-8" and _mostly_utf8(data):
        return Decoded(data.decode("utf-8", "replace"), "utf-8", certain=True)
    if declared is not None and declared != "utf-8":
        return Decoded(data.decode(declared, "replace"), declared, certain=True)
    guessed = _detected(data)
    return Decoded(data.decode(guessed, "replace"), guessed, certain=False)


def form_charset(data: bytes, charset: str | None = None) -> str:
    """The charset in which browsers send the forms of a page: the one it is in.

    A page of nothing but ASCII is in the charset it declares, which its forms are then sent in, although it reads as UTF-8.
    """
    if data.isascii():
        declared = codec_of(charset) or codec_of(_declared(data))
        return declared or "utf-8"
    return decode(data, charset).encoding


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as text: what the parser and the browser are both given, so that they see the same page."""

    text: str
    encoding: str | None
    cut: tuple[str, ...]


def page_text(html: bytes | str, max_bytes: int, charset: str | None = None) -> PageText:
    """A page's text, at most `max_bytes` of it; text that was given as such has no encoding."""
    cut = ("bytes",) if len(html) > max_bytes else ()
    html = html[:max_bytes]
    if isinstance(html, bytes):
        decoded = decode(html, charset)
        return PageText(decoded.text, decoded.encoding, cut)
    return PageText(_without_lone_surrogates(html), None, cut)


def _without_lone_surrogates(html: str) -> str:
    """Half a character in a `str`, as JSON with cut emoji gives it, could be read but never written again."""
    try:
        html.encode()
    except UnicodeEncodeError:
        return html.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return html


def codec_of(label: str | None) -> str | None:
    """The codec that browsers mean by a charset label; None for a label that names no charset."""
    if not label:
        return None
    label = label.strip().strip("\"'").lower()
    label = _ALIASES.get(label, label)
    try:
        b"a".decode(label, "replace")  # refuses Python's byte-to-byte codecs ("zip", "hex"), which are no charsets
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return None
    return None if name in ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape") else name


def _declared(data: bytes) -> str | None:
    found = _DECLARED.search(data[:_PRESCAN]) or (_DECLARED.search(data[: 16 * _PRESCAN]) if len(data) > _PRESCAN else None)
    return found.group(1).decode("ascii") if found else None


def _decode_utf8(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A multi-byte character cut by a size limit at the very end is no evidence against UTF-8.
        if error.reason == "unexpected end of data" and len(data) - error.start < 4:
            return data.decode("utf-8", "replace")
        return None


def _mostly_utf8(data: bytes) -> bool:
    """Whether a page declared as UTF-8 is so but for a few broken characters, as when a template cuts a teaser by bytes."""
    sample = data[:_SAMPLE]
    high = sum(byte >= 0x80 for byte in sample)
    broken = sample.decode("utf-8", "replace").count("\ufffd")
    return broken * 10 <= high


def _utf16_without_bom(data: bytes) -> str | None:
    """UTF-16 shows in markup as every second byte zero, which no other charset has."""
    sample = data[:1024]
    if len(sample) < 4:
        return None
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.7 * half and even < 0.1 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.1 * half:
        return "utf-16-be"
    return None


def _detected(data: bytes) -> str:
    from turbohtml.detect import Detection, detect_all

    # The detector honours <meta> too, which has been found wrong by now: it is asked about the bytes after the head.
    sample = _DECLARED.sub(b"", data[: 2 * _SAMPLE])[:_SAMPLE]
    for match in detect_all(sample, Detection(excluded=frozenset({"UTF-8"}))):
        codec = codec_of(match.encoding)
        if codec and codec != "utf-8" and (not _is_wide(codec) or _reads_as_words(sample.decode(codec, "ignore"))):
            return codec
    return "cp1252"


def _is_wide(codec: str) -> bool:
    """Whether a charset has letters of several bytes."""
    return len("\u4e00\uac00".encode(codec, "ignore")) > 0


def _reads_as_words(text: str) -> bool:
    """Whether letters beyond ASCII stand side by side, as those of a script do that needs several bytes a letter.

    A stray sign in an English page, half an entity and half UTF-8, can be read as one rare Chinese letter, but stands alone.
    """
    beyond, together = len(_BEYOND.findall(text)), sum(map(len, _TOGETHER.findall(text)))
    return 2 * together >= beyond
