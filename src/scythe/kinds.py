"""What values look like: web addresses, prices, dates, ratings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_CURRENCY_CODES = (
    "USD EUR GBP CAD AUD CHF JPY CNY RMB INR SEK NOK DKK PLN CZK HUF BRL MXN RUB TRY"
)
_CURRENCY_WORDS = r"kr|zł|Kč|Rs\.?|R\$"
_CURRENCY = (
    rf"[$€£¥₹₽₩₺₴฿₫₪]|\b(?:{'|'.join(_CURRENCY_CODES.split())}|{_CURRENCY_WORDS})"
)
_AMOUNT = r"\d[\d.,'\s]*"
_PRICE = re.compile(
    rf"(?:[^\d]{{0,20}})"
    rf"(?:(?:{_CURRENCY})\s*{_AMOUNT}|{_AMOUNT}\s*(?:{_CURRENCY}|元|円|원))"
    rf".{{0,30}}",
    re.IGNORECASE,
)

_MONTHS = (
    "jan feb mar apr may jun jul aug sep oct nov dec "
    "ene abr ago dic janv févr avr mai juin juil août déc mär okt dez"
)
_MONTH = rf"(?<![^\W\d_])(?:{'|'.join(_MONTHS.split())})"
_DATE = re.compile(
    rf"""(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}} | \d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}
      | \d{{1,2}}(?:st|nd|rd|th|\.)?[\s-]+(?:de\s+)?{_MONTH}\w*\.?[\s,-]*(?:de\s+)?(?:\d{{2,4}})?
      | {_MONTH}\w*\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?(?:\s+\d{{4}})? | {_MONTH}\w*\.?\s+\d{{4}}
      | \b(?:an?|\d+)\s+(?:second|minute|hour|day|week|month|year)s?\s+ago | \byesterday\b
      | (?:19|20)\d\d年\d{{1,2}}月\d{{1,2}}日)""",
    re.IGNORECASE | re.VERBOSE,
)

_RATING = re.compile(
    r"(?:[\w ]{0,30}\brating of\s|\w{0,12}:?\s*)?"
    r"(?:\d(?:[.,]\d{1,2})?\s*"
    r"(?:/\s*(?:5|10)\b|out\s+of\s+\d+|of\s+\d+\s+stars?|stars?\b|★)|[★☆]{3,10})"
    r".{0,30}",
    re.IGNORECASE,
)
_BARE_RATING = re.compile(
    r"(?:\w{0,12}:?\s*)?(?:\d(?:[.,]\d{1,2})?|10(?:[.,]0)?|\d{1,3}\s?%)"
)
_RATING_CLASS = re.compile(r"rating|stars?\b", re.IGNORECASE)

_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|[\w.-]+\.[a-z]{2,}(?:[/:?#]\S*)?", re.IGNORECASE
)

_MIN_SHARE = 0.6
"""Of the values of a column, how many must look like a kind: optional words ("Sold
out") stand between prices.
"""
_MAX_LENGTH = 60
"""Characters of a price, date or rating; an arbitrary cap, longer values are prose."""
_ADDRESS_START = 200
"""Characters of a value that are matched against an address; a bound on work."""


_DATED_START = 300
"""Characters of a text in which a date is looked for; a bound on work."""


def is_address_column(values: Sequence[str]) -> bool:
    """Return whether a column holds web addresses, as search results show them."""
    matches = 0
    for value in values:
        if " " not in value and _ADDRESS.match(value[:_ADDRESS_START]):
            matches += 1
    return matches >= _MIN_SHARE * len(values)


def is_price(values: Sequence[str]) -> bool:
    """Return whether a column holds prices."""
    return _most_match(values, _PRICE.fullmatch)


def is_date(values: Sequence[str]) -> bool:
    """Return whether a column holds dates, with a word or two around them."""

    def is_mostly_date(value: str) -> bool:
        date = _DATE.search(value)
        if date is None:
            return False
        date_length = len(date.group())
        return len(value) <= 2 * date_length + 12

    return _most_match(values, is_mostly_date)


def date_in(text: str) -> str | None:
    """Return the one date that stands in a text; None where there is none or several."""
    dates = [date.group().strip() for date in _DATE.finditer(text[:_DATED_START])]
    return dates[0] if len(dates) == 1 else None


def holds_dates(values: Sequence[str]) -> bool:
    """Return whether the texts of a column have one date each, among other words."""
    return _most_match(values, date_in)


def is_rating(values: Sequence[str], class_names: str) -> bool:
    """Return whether a column holds ratings; class names say so where the values are
    bare numbers.
    """
    if _most_match(values, _RATING.fullmatch):
        return True
    if not _RATING_CLASS.search(class_names):
        return False
    return _most_match(values, _BARE_RATING.fullmatch)


def _most_match(values: Sequence[str], test: Callable[[str], object]) -> bool:
    matches = 0
    for value in values:
        if len(value) <= _MAX_LENGTH and test(value):
            matches += 1
    return matches > 0 and matches >= _MIN_SHARE * len(values)
