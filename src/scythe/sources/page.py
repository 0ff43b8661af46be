"""A page as it was read, and the check that it is one."""

from __future__ import annotations

from dataclasses import dataclass, field

from scythe.errors import EmptyInput, NotHtml

_BLANK = b" \t\r\n\f\v\x00\xef\xbb\xbf\xff\xfe"
"""White space in any charset, NUL (UTF-16), and byte-order marks."""

_CONVERT = "Convert it to HTML first."
_UNPACK = "Unpack it and give the pages in it."
_PDF = b"%PDF-"
"""Recognised behind white space too."""
_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (_PDF, "a PDF document", _CONVERT),
    (b"\x89PNG\r\n", "a PNG image", "Give the page that shows it."),
    (b"\xff\xd8\xff", "a JPEG image", "Give the page that shows it."),
    (b"GIF8", "a GIF image", "Give the page that shows it."),
    (b"PK\x03\x04", "a ZIP archive (or a DOCX, XLSX, EPUB file)", _UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"BZh9", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ\x00", "an XZ archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK),
    (b"\xd0\xcf\x11\xe0", "an old Office document", _CONVERT),
    (b"{\\rtf", "an RTF document", _CONVERT),
    (b"\x7fELF", "a program", "Give a web page."),
    (b"SQLite format 3\x00", "an SQLite database", "Give a web page."),
    (b"OggS", "an Ogg recording", "Give the page that plays it."),
    (b"ID3", "an MP3 recording", "Give the page that plays it."),
    (b"wOFF", "a font", "Give a web page."),
    (b"wOF2", "a font", "Give a web page."),
)
_MAGIC_WITHIN = (
    (b"RIFF", 8, b"WEBP", "a WebP image", "Give the page that shows it."),
    (b"RIFF", 8, b"WAVE", "a WAV recording", "Give the page that plays it."),
    (b"RIFF", 8, b"AVI ", "an AVI video", "Give the page that plays it."),
    (b"", 4, b"ftyp", "an MP4 video or an AVIF image", "Give the page that shows it."),
)


@dataclass(frozen=True, slots=True)
class RawPage:
    """The bytes of a page and what came with them."""

    data: bytes = field(repr=False)
    url: str | None = None
    """The address after all redirects, against which relative links resolve."""
    charset: str | None = None
    """The charset that the transport declared."""


def require_page(data: bytes, name: str) -> bytes:
    """Return the data, or refuse what is empty or recognisably something else than a
    page; text of any kind passes.
    """
    start = data[:64].lstrip(_BLANK)
    if not start and not data.strip(_BLANK):
        raise EmptyInput(
            f"There is nothing in {name}. "
            "Check that the page was saved or downloaded completely."
        )
    for magic, kind, advice in _MAGIC:
        is_pdf = magic == _PDF and start.startswith(magic)
        if is_pdf or data.startswith(magic):
            raise NotHtml(f"{name} is {kind}, not a web page. {advice}")
    for head, offset, magic, kind, advice in _MAGIC_WITHIN:
        if data.startswith(head) and data.startswith(magic, offset):
            raise NotHtml(f"{name} is {kind}, not a web page. {advice}")
    return data
