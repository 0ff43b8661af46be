"""Texts that say when something was written, in the languages of many forums."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Tree

MAX_LENGTH = 80
"""Characters of a text that is a date and little else; a bound, not tuned."""

TIME = TagSet("time")
LABELLED = TagSet("time abbr span a")
"""Elements whose `title` is often the full date of a short one."""

_MONTHS = (
    "jan feb mar apr may jun jul aug sep oct nov dec ene abr mai ago set out dic dez fev "
    "janv févr mars avr juin juil août déc mär mrz okt gen mag giu lug ott sty lut kwi maj "
    "cze lip sie wrz paź lis gru led úno bře dub kvě čer srp zář říj pro янв фев мар апр мая "
    "июн июл авг сен окт ноя дек січ лют бер кві тра чер лип сер вер жов лис гру"  # noqa: RUF001
)
_UNITS = (
    r"s(?:ec(?:ond)?)?s?|m(?:in(?:ute)?)?s?|h(?:(?:ou)?r)?s?|d(?:ay)?s?|w(?:ee)?ks?|w"
    r"|mo(?:nth)?s?|y(?:(?:ea)?r)?s?"
)
_MONTH = rf"(?<![^\W\d_])(?:{'|'.join(_MONTHS.split())})"
_RELATIVE = (
    rf"\b(?:an?|\d+)\s?(?:{_UNITS})(?:\s\d+\s?(?:{_UNITS}))?\s+ago\b"
    r"|\bvor\s+(?:\d+|ein\w*)\s+\w+|\bil\sy\sa\s+(?:\d+|une?)\s+\w+"
    r"|\bhace\s+(?:\d+|una?)\s+\w+|\bhá\s+(?:\d+|uma?)\s+\w+|\b\d+\s+\w+\s+(?:fa|atrás)\b"
    r"|\b\d+\s+\w+\s+(?:geleden|sedan|siden|temu|önce|sitten)\b"
    r"|\b\d+\s+\w+\.?\s+(?:назад|тому)|\d+\s?(?:秒|分|分钟|分鐘|小时|小時|時間|天|日|周|週|个月|個月|ヶ月|年)"
    r"(?:钟|鐘)?\s?(?:前|之前)"
)
_NAMED_DAY = (
    r"\b(?:today|yesterday|heute|gestern|aujourd.hui|hier|hoy|ayer|oggi|ieri|hoje|ontem"
    r"|vandaag|gisteren|dzisiaj|wczoraj|dnes|včera|сегодня|вчера)\b|今天|昨天|今日|昨日"
)
_CLOCK = r"\d{1,2}[:.]\d\d"
_DATE = re.compile(
    rf"""\d{{4}}\s?[-/.]\s?\d{{1,2}}\s?[-/.]\s?\d{{1,2}}
      | \b\d{{1,2}}\s?[-/.]\s?\d{{1,2}}\s?[-/.]\s?\d{{2,4}}\b
      | \b\d{{1,2}}(?:st|nd|rd|th|\.|º)?[\s-]{{1,3}}(?:de\s+)?{_MONTH}\w*
      | {_MONTH}\w*\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b
      | {_MONTH}\w*\.?,?\s+(?:de\s+)?['\u2019]?(?:19|20)\d\d\b
      | \d{{4}}\s?[年년]\s?\d{{1,2}}\s?[月월] | \b\d{{1,2}}\s?月\s?\d{{1,2}}\s?日
      | {_RELATIVE} | (?:{_NAMED_DAY})""",
    re.IGNORECASE | re.VERBOSE,
)
_DIGIT = re.compile(r"\d")
_WORD_HINT = re.compile(
    rf"{_NAMED_DAY}|ago\b|\bvor ein|\bil y a une?|\bhace una?|\bhá uma?",
    re.IGNORECASE,
)
_HINT = re.compile(rf"\d|{_WORD_HINT.pattern}", re.IGNORECASE)
_AROUND = re.compile(rf"{_CLOCK}|[^\W\d_]+|\d+")
MAX_WORDS_AROUND = 6
"""Words that a date may stand with in its text ("Posted on ... at ... by"), clock and
weekday included; a text with more is prose that mentions a date.
"""
_OTHER_EVENT = re.compile(
    r"join|registr|member since|beigetreten|inscri|miembro|membro|iscritt|dabei seit"
    r"|регистрац|注册|last (?:edit|modif|activ|visit|seen|login)|edited|bearbeitet|modifi"
    r"|geändert|редакт|изменено",
    re.IGNORECASE,
)


def is_time(text: str) -> bool:
    """Return whether a text says when, and hardly anything else."""
    if not text or len(text) > MAX_LENGTH or not _HINT.search(text):
        return False
    return _is_date(text)


def _is_date(text: str) -> bool:
    """Return whether a text that may name a date names one, and hardly anything else."""
    match = _DATE.search(text)
    if match is None or _OTHER_EVENT.search(text):
        return False
    rest = text[: match.start()] + " " + text[match.end() :]
    return len(_AROUND.findall(rest)) <= MAX_WORDS_AROUND


def _hinted(texts: list[str]) -> list[int]:
    """Return the indices of the texts that may be dates. Most have no digit, and few
    pages have words for days: each is looked for once, not in every text.
    """
    short = [text if len(text) <= MAX_LENGTH else "" for text in texts]
    joined = "\n".join(short)
    has_words = _WORD_HINT.search(joined) is not None
    has_hint = _HINT.search if has_words else _DIGIT.search
    return [index for index, text in enumerate(short) if text and has_hint(text)]


def time_marks(tree: Tree, is_read: Bools) -> list[int]:
    """Return the elements that say when something was written, in page order."""
    return sorted(set(_marks(tree, is_read)))


def _marks(tree: Tree, is_read: Bools) -> Iterator[int]:
    in_time = tree.below(tree.has_tag(TIME))
    for node in np.flatnonzero(tree.has_tag(TIME) & is_read).tolist():
        yield node
    nodes = np.flatnonzero(tree.is_text & is_read)
    texts = [text.strip() for text in tree.text[nodes].tolist()]
    has_text = np.array(list(map(bool, texts)), dtype=bool)
    nodes = nodes[has_text]
    texts = list(filter(None, texts))

    def follows_other_event(index: int) -> bool:
        """Return whether the text before says that something else happened then."""
        before = texts[index - 1] if index else ""
        return len(before) < MAX_LENGTH and bool(_OTHER_EVENT.search(before))

    for index in _hinted(texts):
        node = int(nodes[index])
        is_date = not in_time[node] and _is_date(texts[index])
        if is_date and not follows_other_event(index):
            yield int(tree.parent[node])
    is_labelled = tree.has_tag(LABELLED) & is_read
    for node, title in tree.with_attribute("title").items():
        if is_labelled[node] and is_time(title.strip()):
            index = int(np.searchsorted(nodes, node))
            if not follows_other_event(index):
                yield node


def written_time(tree: Tree, node: int) -> str:
    """Return when something was written, as exactly as the page states it: the machine
    readable date where there is one, else the text that a reader sees.
    """
    end = int(tree.end[node])
    columns = [tree.with_attribute(name) for name in ("datetime", "title", "content")]
    for inner in range(node, end):
        for column in columns:
            value = column.get(inner, "").strip()
            if is_time(value) or _is_machine_date(value):
                return value
    return " ".join("".join(tree.text[node:end].tolist()).split())


_MACHINE_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.{0,20})?")


def _is_machine_date(value: str) -> bool:
    return _MACHINE_DATE.fullmatch(value) is not None
