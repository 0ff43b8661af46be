"""Names of people, taken out of what surrounds them in bylines and properties."""

from __future__ import annotations

import re

from scythe.content.metadata.values import clean_text, match_key

MAX_NAMES = 20
MAX_NAME = 100
_MAX_BYLINE = 500
_MAX_WORDS = 6
"""Names of a list, characters and words of a name: caps on what can be one, not tuned."""

_BY = re.compile(
    r"\A\s*(?:view\s+all\s+posts\s+"
    r"|(?:words?|text|story|article|written|posted|published|created|authored|compiled|contributed|started"
    r"|verfasst|geschrieben|écrit|publié|rédigé|escrito|publicado|scritto|pubblicato)\s+)?"
    r"(?:(?:by|von|par|por|di|da|автор|от|بقلم|via|authors?)\b\s*[:：]?"  # noqa: RUF001
    r"|(?:作者|文|撰文|編輯|编辑|記者|记者|著者|筆者)\s*[:：/／])\s*",  # noqa: RUF001
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s?(?:[|·•⋅/(\[]|\s[-–—]\s|,?\s(?:on|in|am|le|el|il)\s[\dA-Z]|(?:^|\s)\d"  # noqa: RUF001
    r"|\b(?:published|updated|posted|last\supdated|follow|share|contact|reviewed|edited|fact[\s-]checked|medically|senior"
    r"|staff\swriter|contributor|contributing|view|see|read"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?(?=\s\d))\b).*",
    re.IGNORECASE | re.DOTALL,
)
_ADDRESS = re.compile(r"https?:|www\.|\S+@\S+\.\S+|\.(?:com|org|net)\b", re.IGNORECASE)
_NAME_SEPARATOR = re.compile(r"\s*;\s*|,?\s+(?:&|and)\s+(?=[A-Z][\w.'-]+\s+[A-Z])")
_NAME_INITIAL = re.compile(r"[^\W\d_a-z]")
_PLACEHOLDERS = """
    admin administrator author authors by byline user guest anonymous unknown undefined
    null none default editor webmaster abouttheauthor writtenby postedby reviewedby
    readmore share follow comments profile viewprofile login superuser root theauthor
    moreposts meettheauthor ourauthors contributors nan na wpadmin siteadmin min minread
    signin signup name avatar menu search home blog published updated posted and mon tue
    wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec mins minutes
    guide news message account
"""
_NOT_NAMES = frozenset(_PLACEHOLDERS.split())
"""What stands where a name is expected without being one: accounts of publishing
programs, labels, parts of dates.
"""


def clean_name(name: object) -> str:
    """Return a name as people write it, empty if it is an address, a number or a
    placeholder such as "admin".
    """
    text = clean_text(name, 3 * MAX_NAME)
    text = without_by(text).strip(" ,;:|-–—•·@~&\"'“”")  # noqa: RUF001
    if len(text) > MAX_NAME or text.isdigit():
        return ""
    if _ADDRESS.search(text):
        return ""
    key = match_key(text)
    if not key or key in _NOT_NAMES:
        return ""
    return text


def split_names(text: str) -> list[str]:
    """Return the names of a list in one string. A comma may stand before a degree or a
    first name, so it does not split.
    """
    return _NAME_SEPARATOR.split(text[: MAX_NAMES * MAX_NAME])


def begins_with_by(text: str) -> bool:
    """Return whether a text begins with "By", "Written by", "Von", "作者：" and the
    like.
    """  # noqa: RUF002
    return _BY.match(text) is not None


def without_by(text: str) -> str:
    """Return a byline without its "By"."""
    return _BY.sub("", text, count=1)


def bare_name(text: str) -> str:
    """Return a byline without its "By" and without the date, job title or notice behind
    the name.
    """
    one_line = " ".join(text[:_MAX_BYLINE].split())
    name = _TAIL.sub("", without_by(one_line)).strip(" ,;&")
    return name if len(name.split()) <= _MAX_WORDS else ""


def looks_like_name(text: str) -> bool:
    """Return whether most words begin like those of a name: with a capital, or in a
    script that has none.
    """
    words = text.split()
    name_words = [word for word in words if _NAME_INITIAL.match(word)]
    return 2 * len(name_words) > len(words)
