"""What values look like: prices, dates, ratings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_CURRENCY = r"[$€£¥₹₽₩₺₴฿₫₪]|\b(?:USD|EUR|GBP|CAD|AUD|CHF|JPY|CNY|RMB|INR|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|RUB|TRY|kr|zł|Kč|Rs\.?|R\$)"
_PRICE = re.compile(
    rf"(?:[^\d]{{0,20}})(?:(?:{_CURRENCY})\s*\d[\d.,'\s]*|\d[\d.,'\s]*\s*(?:{_CURRENCY}|元|円|원)).{{0,30}}",
    re.IGNORECASE,
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec ene abr ago dic janv févr avr mai juin juil août déc mär okt dez"
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
    r"(?:\w{0,12}:?\s*)?(?:\d(?:[.,]\d{1,2})?\s*(?:/\s*(?:5|10)\b|out\s+of\s+\d+|of\s+\d+\s+stars?|stars?\b|★)|[★☆]{3,10}).{0,30}",
    re.IGNORECASE,
)
_BARE_RATING = re.compile(
    r"(?:\w{0,12}:?\s*)?(?:\d(?:[.,]\d{1,2})?|10(?:[.,]0)?|\d{1,3}\s?%)"
)
_RATING_NAMES = re.compile(r"rating|stars?\b", re.IGNORECASE)

_SHARE = 0.6
"""Of the values of a column, how many must look like a kind: optional words ("Sold
out") stand between prices.
"""

_LONGEST = 60


_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|[\w.-]+\.[a-z]{2,}(?:[/:?#]\S*)?", re.IGNORECASE
)


def is_address(values: Sequence[str]) -> bool:
    """Whether a column holds web addresses, as search results show them."""
    return sum(
        bool(_ADDRESS.match(value[:200])) and " " not in value for value in values
    ) >= _SHARE * len(values)


def is_price(values: Sequence[str]) -> bool:
    """Whether a column holds prices."""
    return _most(values, lambda value: bool(_PRICE.fullmatch(value)))


def is_date(values: Sequence[str]) -> bool:
    """Whether a column holds dates, with a word or two around them."""

    def dated(value: str) -> bool:
        found = _DATE.search(value)
        return found is not None and len(value) <= 2 * len(found.group()) + 12

    return _most(values, dated)


def is_rating(values: Sequence[str], names: str) -> bool:
    """Whether a column holds ratings; `names` are class names, which say so where the
    values are bare numbers.
    """
    if _most(values, lambda value: bool(_RATING.fullmatch(value))):
        return True
    return bool(_RATING_NAMES.search(names)) and _most(
        values, lambda value: bool(_BARE_RATING.fullmatch(value))
    )


def _most(values: Sequence[str], test: Callable[[str], bool]) -> bool:
    matches = sum(1 for value in values if len(value) <= _LONGEST and test(value))
    return matches > 0 and matches >= _SHARE * len(values)
