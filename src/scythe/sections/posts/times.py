"""Texts that say when something was written, in the languages of many forums."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from scythe.sections.posts.texts import MAX_DATE, ThreadTexts
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Tree

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
_NUMBERS = re.compile(r"\d\s?[-/.]\s?\d")
_WORD = re.compile(r"[a-z]+")
_MONTH_STARTS = frozenset(month[:3] for month in _MONTHS.split())
_DATE_WORDS = frozenset(
    (
        "ago vor il hace fa geleden sedan siden temu sitten "
        "today yesterday heute gestern aujourd hier hoy ayer oggi ieri hoje ontem "
        "vandaag gisteren dzisiaj wczoraj dnes"
    ).split()
)
"""One of which every date in ASCII has, beside numbers in a row and months."""
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
    if not text or len(text) > MAX_DATE:
        return False
    if not _may_name_date(text):
        return False
    return _HINT.search(text) is not None and _is_date(text)


def _is_date(text: str) -> bool:
    """Return whether a text that may name a date names one, and hardly anything else."""
    match = _DATE.search(text)
    if match is None or _OTHER_EVENT.search(text):
        return False
    before = text[: match.start()]
    rest = f"{before} {text[match.end() :]}"
    return len(_AROUND.findall(rest)) <= MAX_WORDS_AROUND


def _may_name_date(text: str) -> bool:
    """Return whether a text of ASCII has what dates have, numbers in a row or one of
    their words; other texts may always name one.
    """
    if not text.isascii() or _NUMBERS.search(text):
        return True
    for word in _WORD.findall(text.lower()):
        if word[:3] in _MONTH_STARTS or word in _DATE_WORDS:
            return True
    return False


def time_marks(tree: Tree, is_read: Bools, texts: ThreadTexts) -> list[int]:
    """Return the elements that say when something was written, in page order."""
    return sorted(set(_Times(tree, is_read, texts).marks()))


class _Times:
    """The search for the dates of one page."""

    def __init__(self, tree: Tree, is_read: Bools, texts: ThreadTexts) -> None:
        self.tree = tree
        self.is_read = is_read
        self.nodes = texts.nodes
        self.may_be_dates = texts.may_be_dates

    def marks(self) -> Iterator[int]:
        """Yield the elements that say when something was written."""
        tree = self.tree
        is_time_element = tree.has_tag(TIME)
        yield from np.flatnonzero(is_time_element & self.is_read).tolist()
        in_time = tree.below(is_time_element)
        dates = [
            index
            for index, text in self._hinted()
            if not in_time[self.nodes[index]]
            and _may_name_date(text)
            and _is_date(text)
        ]
        for index in self._without_other_events(dates):
            yield int(tree.parent[self.nodes[index]])

        is_labelled = tree.has_tag(LABELLED) & self.is_read
        labelled = [
            node
            for node, title in tree.with_attribute("title").items()
            if is_labelled[node] and is_time(title.strip())
        ]
        behind = np.searchsorted(self.nodes, labelled).tolist()
        kept = set(self._without_other_events(behind))
        for node, index in zip(labelled, behind, strict=True):
            if index in kept:
                yield node

    def _hinted(self) -> Iterator[tuple[int, str]]:
        """Yield the texts that may be dates, with their indices. Most have no digit, and
        few pages have words for days: those are looked for once, not in every text.
        """
        indices = np.flatnonzero(self.may_be_dates)
        found = self.tree.texts(self.nodes[indices])
        texts = list(map(str.strip, found))
        has_words = _WORD_HINT.search("\n".join(texts)) is not None
        has_hint = _HINT.search if has_words else _DIGIT.search
        for index, text in zip(indices.tolist(), texts, strict=True):
            if has_hint(text):
                yield index, text

    def _without_other_events(self, indices: list[int]) -> list[int]:
        """Return those of some texts before which no text says that something else
        happened then.
        """
        others = [index for index in indices if index]
        positions = np.array(others, dtype=np.int64) - 1
        before = self.tree.texts(self.nodes[positions])
        kept: list[int] = [index for index in indices if not index]
        stripped = map(str.strip, before)
        for index, text in zip(others, stripped, strict=True):
            if len(text) >= MAX_DATE or not _OTHER_EVENT.search(text):
                kept.append(index)
        return kept


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
    text = "".join(tree.text[node:end].tolist())
    return " ".join(text.split())


_MACHINE_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.{0,20})?")


def _is_machine_date(value: str) -> bool:
    return _MACHINE_DATE.fullmatch(value) is not None
