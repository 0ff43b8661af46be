"""Durations in minutes: `PT1H30M`, "1 hr 30 min", "1½ Stunden", "1h30", "90"."""

# ruff: noqa: RUF001 - pages have these characters

from __future__ import annotations

import re

from scythe.collect.records.standardize.numbers import (
    NUMBER,
    ascii_digits,
    parse_number,
    tidy_number,
)

_MAX_LENGTH = 120
"""Characters of a text that are read: an arbitrary cap against hostile pages."""
_ISO = re.compile(
    r"-?p(?:(?P<years>[\d.,]+)y)?(?:(?P<months>[\d.,]+)m)?"
    r"(?:(?P<weeks>[\d.,]+)w)?(?:(?P<days>[\d.,]+)d)?"
    r"(?:t(?:(?P<hours>[\d.,]+)h)?(?:(?P<minutes>[\d.,]+)m)?(?:(?P<seconds>[\d.,]+)s)?)?",
    re.IGNORECASE,
)
_MINUTES = {
    "years": 525_600,
    "months": 43_200,
    "weeks": 10_080,
    "days": 1_440,
    "hours": 60,
    "minutes": 1,
    "seconds": 1 / 60,
}
_WORDS = {
    "weeks": "weeks week wks wk wochen woche semaines semaine semanas semana settimane "
    "weken veckor недели неделя 周 週間",
    "days": "days day d tage tag tagen jours jour días dias día dia giorni giorno dagen "
    "dag dagar дней дня день 天 日",
    "hours": "hours hour hrs hr h std stunden stunde heures heure horas hora ore ora "
    "uur uren timmar timme tim timer godz часов часа час ч 小时 小時 時間 시간",
    "minutes": "minutes minute mins min m mn minuten minuter minutter minutos minuto "
    "minuti мин минут минуты минута 分钟 分鐘 分 분",
    "seconds": "seconds second secs sec s sekunden sekunde sek secondes seconde segundos "
    "segundo secondi сек секунд 秒 초",
}
_UNIT_OF: dict[str, str] = {}
for _unit, _words in _WORDS.items():
    _UNIT_OF.update(dict.fromkeys(_words.split(), _unit))
_UNIT = "|".join(sorted(map(re.escape, _UNIT_OF), key=len, reverse=True))
_TO = r" ?(?:-|–|—|to|or|bis|à|a|до) ?"
_PART = re.compile(
    rf"(?<!\d)(?:(?P<first>{NUMBER})(?: ?(?:{_UNIT})\.?)?{_TO})?"
    rf"(?P<number>{NUMBER}) ?-? ?(?P<unit>{_UNIT})(?![^\W\d_])\.?",
    re.IGNORECASE,
)
_HOURS_AND_MINUTES = re.compile(
    r"(?P<hours>\d{1,3})\s*h\s*(?P<minutes>[0-5]?\d)(?!\d|\s*[a-z])",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?P<hours>\d{1,2}):(?P<minutes>[0-5]\d)(?::[0-5]\d)?")
_FILLER = re.compile(
    r"[\s,;:.+&]|\b(?:and|und|et|e|y|en|och|og|и|about|ca|circa|approx|approximately|ungefähr|environ|etwa)\b",
    re.IGNORECASE,
)


def parse_minutes(text: str) -> float | int | None:
    """Return how many minutes a text says, None where it says no duration. Of a range
    the longer one: what to reckon with.

    A bare number is minutes, as pages mean it that leave the unit to the label.
    """
    text = ascii_digits(" ".join(text.split())[:_MAX_LENGTH])
    iso = _ISO.fullmatch(text)
    if iso and any(iso.groupdict().values()):
        return _iso_minutes(iso)
    hours = _CLOCK.fullmatch(text) or _HOURS_AND_MINUTES.search(text)
    if hours:
        minutes = int(hours["minutes"])
        return int(hours["hours"]) * 60 + minutes
    parts = _minutes_of_parts(text)
    if parts:
        return tidy_number(sum(parts))
    bare = parse_number(text)
    return None if bare is None else tidy_number(bare)


def _iso_minutes(found: re.Match[str]) -> float | int | None:
    total = 0.0
    for unit, digits in found.groupdict().items():
        if not digits:
            continue
        try:
            number = float(digits.replace(",", "."))
        except ValueError:
            return None
        total += number * _MINUTES[unit]
    return tidy_number(total)


def _minutes_of_parts(text: str) -> list[float]:
    """Return the minutes of the parts that follow each other: "1 hour, 20 minutes". A
    second duration in the text is another matter.
    """
    parts: list[float] = []
    units: set[str] = set()
    end = 0
    for match in _PART.finditer(text):
        unit = _UNIT_OF[match["unit"].lower()]
        if parts:
            between = _FILLER.sub("", text[end : match.start()])
            if unit in units or between:
                break
        value = parse_number(match["number"])
        if value is None:
            continue
        units.add(unit)
        parts.append(value * _MINUTES[unit])
        end = match.end()
    return parts
