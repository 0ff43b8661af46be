"""Dates as pages write them, to `YYYY-MM-DD`.

ISO forms, RFC 2822, numeric dates, dates in words in the ten languages of the ECON
paper (zh, en, fr, de, it, ja, pt, ru, es, ar) and Korean's numeric form. The day is
taken as written, without conversion between time zones: the day that a reader sees.
Relative dates ("3 days ago") are not dates: they would depend on when the page is read.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import cache
from operator import itemgetter

EARLIEST_FOUND = 1990
"""First year believed in running text: pages are younger than the Web, and older years
there are history or prices.
"""
EARLIEST_STATED = 1600
"""First year believed where the page states it as its date: archives give the date of
the original.
"""
_LATEST = 2050
"""A page with a later year is wrong about it or means something else. Fixed, not
counted from today: the same page must give the same answer tomorrow.
"""
_MAX_VALUE, _MAX_TEXT = 100, 2_000
"""Characters read of a stated date and of a running text; bounds on work, not tuned."""

_MONTH_NAMES = (
    (
        "january jan janvier janv januar jänner jän gennaio gen janeiro enero ene "
        "января январь янв يناير جانفي كانون_الثاني"
    ),
    (
        "february feb février févr fév fevrier februar febbraio fevereiro fev "
        "febrero февраля февраль фев февр فبراير فيفري شباط"
    ),
    "march mar mars märz mär mrz marzo março marco marz марта март мар مارس آذار",
    (
        "april apr avril avr aprile abril abr апреля апрель апр أبريل ابريل إبريل "
        "أفريل نيسان"
    ),
    "may mai maggio mag maio mayo мая май مايو ماي أيار",
    "june jun juin juni giugno giu junho junio июня июнь июн يونيو يونيه جوان حزيران",
    (
        "july jul juillet juil juli luglio lug julho julio июля июль июл يوليو يوليه "
        "جويلية تموز"
    ),
    "august aug août aout agosto ago августа август авг أغسطس اغسطس أوت آب",
    (
        "september sep sept septembre settembre set setembro septiembre сентября "
        "сентябрь сен сент سبتمبر أيلول"
    ),
    (
        "october oct octobre oktober okt ottobre ott outubro out octubre октября "
        "октябрь окт أكتوبر اكتوبر تشرين_الأول"
    ),
    (
        "november nov novembre novembro noviembre ноября ноябрь ноя нояб نوفمبر "
        "تشرين_الثاني"
    ),
    (
        "december dec décembre déc decembre dezember dez dicembre dic dezembro "
        "diciembre декабря декабрь дек ديسمبر كانون_الأول"
    ),
)


def _month_numbers() -> dict[str, int]:
    numbers = {}
    for number, names in enumerate(_MONTH_NAMES, 1):
        for name in names.split():
            numbers[name.replace("_", " ")] = number
    return numbers


def _decimal_digits() -> dict[int, str]:
    """Return a translation of Arabic, Persian and full-width digits to ASCII."""
    digits = {}
    for zero in "٠۰０":  # noqa: RUF001
        for value in range(10):
            digits[ord(zero) + value] = str(value)
    return digits


_MONTHS = _month_numbers()
_DIGITS = _decimal_digits()
_LONGEST_FIRST = sorted(map(re.escape, _MONTHS), key=len, reverse=True)
_MONTH = rf"(?<![^\W\d_])(?P<month>{'|'.join(_LONGEST_FIRST)})(?![^\W\d_])\.?"
_DAY = r"(?<!\d)(?P<d>\d{1,2})(?!\d)"
_YEAR = r"(?P<y>(?:1[6-9]|20)\d\d)(?!\d)"
_OF = r"(?:\s*+(?:of|de|del|di)\s)?"

_DATE_FORMS = (
    rf"(?<!\d){_YEAR}\s?(?P<sep>[-/.])\s?(?P<m>\d{{1,2}})\s?(?P=sep)\s?(?P<d>\d{{1,2}})(?!\d)",
    rf"(?<!\d){_YEAR}\s?[年년]\s?(?P<m>\d{{1,2}})\s?[月월]\s?(?P<d>\d{{1,2}})(?!\d)",
    rf"{_DAY}(?:st|nd|rd|th|er|[.ºª])?{_OF}[\s./-]*+{_MONTH}{_OF}[\s,./-]*+{_YEAR}",
    rf"{_MONTH}\s*+{_DAY}(?:st|nd|rd|th)?(?:\s*+,|\s)\s*+(?:\d\d:\d\d(?::\d\d)?\s(?:[a-z]{{2,5}}\s)?)?{_YEAR}",
    rf"(?<!\d){_YEAR}[\s-]{_MONTH}[\s-]{_DAY}",
    rf"(?<![\d.])(?P<a>\d{{1,2}})(?P<sep>[-/.])(?P<b>\d{{1,2}})(?P=sep){_YEAR}",
    r"(?<![\d./-])(?P<a>\d\d)(?P<sep>[/.])(?P<b>\d\d)(?P=sep)(?P<yy>\d\d)(?![\d./-])",
)
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")
_COMPACT = re.compile(
    r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)(?:\d{4}(?:\d\d)?|t\d.*|\D.*)?",
    re.DOTALL,
)
_ANY_DATE = re.compile(r"\d{4}|\d\d[/.]\d\d[/.]\d\d")
_MONTH_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_MONTH}{_OF}[\s,./-]*+{_YEAR}",
        rf"{_YEAR}[\s,./-]*+{_MONTH}",
        rf"{_YEAR}\s?[年년]\s?(?P<m>\d{{1,2}})\s?[月월]",
        rf"{_YEAR}[-/](?P<m>\d\d)",
        rf"(?P<m>\d\d)/{_YEAR}",
        rf"{_YEAR}\s?[年년]?",
    )
)
"""How texts give a month or a year without a day."""
_EPOCH = re.compile(r"\d{10}(?:\d{3})?")


def parse_date(value: str, *, day_first: bool = False) -> str | None:
    """Return the date that a value states: an attribute or a property that is meant to
    be a date.

    `day_first` is how to read `03/05/2024`, where either could be meant.
    """
    text = _normalized(value[:_MAX_VALUE])
    iso = _ISO.match(text)
    if iso:
        year, month, day = map(int, iso.groups())
        return _iso_date(year, month, day, EARLIEST_STATED)

    dates = _matches(text, EARLIEST_STATED, day_first=day_first)
    if dates:
        return dates[0][1]

    compact = _COMPACT.fullmatch(text)
    if compact:
        year, month, day = map(int, compact.group("y", "m", "d"))
        return _iso_date(year, month, day, EARLIEST_STATED)
    if _EPOCH.fullmatch(text):
        seconds = int(text[:10])
        moment = datetime.datetime.fromtimestamp(seconds, tz=datetime.UTC)
        return _iso_date(moment.year, moment.month, moment.day, EARLIEST_FOUND)
    return None


def parse_month(value: str) -> str | None:
    """Return the month (`2015-11`) or the year (`2015`) that a value states and nothing
    else, as ISO 8601 writes days that are not known better.
    """
    text = _normalized(value[:_MAX_VALUE])
    for form in _MONTH_FORMS:
        match = form.fullmatch(text)
        if match is None:
            continue
        parts = match.groupdict()
        name = parts.get("month")
        year = int(parts["y"])
        month = _MONTHS[name] if name else int(parts.get("m") or 0)
        day = _iso_date(year, month or 1, 1, EARLIEST_STATED)
        if day is not None:
            return day[:7] if month else day[:4]
    return None


def find_dates(text: str, *, day_first: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the dates in running text with their positions, in order."""
    if not _ANY_DATE.search(text):
        return
    normalized = _normalized(text[:_MAX_TEXT])
    yield from _matches(normalized, EARLIEST_FOUND, day_first=day_first)


def _normalized(text: str) -> str:
    text = text.strip().lower()
    return text if text.isascii() else text.translate(_DIGITS)


@cache
def _date_forms() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of dates, compiled for the first text that may have one."""
    return tuple(map(re.compile, _DATE_FORMS))


def _matches(text: str, earliest: int, *, day_first: bool) -> list[tuple[int, str]]:
    """Return the dates of all forms with their positions, in order."""
    if not _ANY_DATE.search(text):
        return []
    dates = []
    for form in _date_forms():
        for match in form.finditer(text):
            date = _matched_date(match, earliest, day_first=day_first)
            if date is not None:
                dates.append((match.start(), date))
    dates.sort(key=itemgetter(0))
    return dates


def _matched_date(
    match: re.Match[str], earliest: int, *, day_first: bool
) -> str | None:
    parts = match.groupdict()
    year = int(parts.get("y") or "20" + parts["yy"])
    month_name = parts.get("month")
    if month_name:
        day = int(parts["d"])
        return _iso_date(year, _MONTHS[month_name], day, earliest)
    if parts.get("m"):
        day = int(parts["d"])
        return _iso_date(year, int(parts["m"]), day, earliest)

    first = int(parts["a"])
    second = int(parts["b"])
    is_day_first = day_first or parts["sep"] == "."
    if first > 12 or (second <= 12 and is_day_first):
        return _iso_date(year, second, first, earliest)
    return _iso_date(year, first, second, earliest)


def _iso_date(year: int, month: int, day: int, earliest: int) -> str | None:
    """Return `YYYY-MM-DD`, None for a day that does not exist or is not believed."""
    try:
        date = datetime.date(year, month, day)
    except ValueError:
        return None
    return date.isoformat() if earliest <= year <= _LATEST else None
