"""Amounts of money in text: "$1,299.00", "1.299,00 €", "12 990 Kč", as a number and the
code of its currency.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

MAX_AMOUNT_CHARS = 16
"""Characters of an amount; a bound, longer runs of digits are numbers of other things."""

_CODES = (
    "USD EUR GBP CAD AUD NZD CHF JPY CNY RMB HKD TWD KRW INR SGD MYR IDR THB VND PHP "
    "SEK NOK DKK ISK PLN CZK HUF RON BGN RSD TRY RUB UAH KZT ILS AED SAR EGP ZAR NGN "
    "KES BRL MXN ARS CLP COP PEN"
).split()
_CODE_OF_SIGN = {
    "US$": "USD",
    "CA$": "CAD",
    "C$": "CAD",
    "AU$": "AUD",
    "A$": "AUD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "NT$": "TWD",
    "S$": "SGD",
    "R$": "BRL",
    "MX$": "MXN",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "￥": "CNY",
    "$": "USD",
    "₹": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "₺": "TRY",
    "₴": "UAH",
    "₸": "KZT",
    "฿": "THB",
    "₫": "VND",
    "₪": "ILS",
    "₱": "PHP",
    "₦": "NGN",
    "元": "CNY",
    "円": "JPY",
    "원": "KRW",
}
_CODE_OF_WORD = {
    **{code.lower(): code for code in _CODES},
    "rmb": "CNY",
    "euro": "EUR",
    "euros": "EUR",
    "eur": "EUR",
    "kr": "SEK",
    "zł": "PLN",
    "kč": "CZK",
    "ft": "HUF",
    "lei": "RON",
    "лв": "BGN",
    "руб": "RUB",
    "грн": "UAH",
    "тг": "KZT",
    "tl": "TRY",
    "rs": "INR",
    "rm": "MYR",
    "rp": "IDR",
    "fr": "CHF",
    "sfr": "CHF",
    "δρχ": "EUR",
}
_SHARED_SIGNS = {
    "$": {
        "ca": "CAD",
        "au": "AUD",
        "nz": "NZD",
        "mx": "MXN",
        "sg": "SGD",
        "hk": "HKD",
        "tw": "TWD",
        "ar": "ARS",
        "cl": "CLP",
        "co": "COP",
    },
    "kr": {
        "no": "NOK",
        "nb": "NOK",
        "nn": "NOK",
        "dk": "DKK",
        "da": "DKK",
        "is": "ISK",
    },
    "¥": {"cn": "CNY", "zh": "CNY"},
    "fr": {"fr": "EUR"},
}
"""Signs that several countries share, with the currency of each country or language."""

_SIGN = "|".join(sorted(map(re.escape, _CODE_OF_SIGN), key=len, reverse=True))
_WORD = (
    rf"(?<![^\W\d_])(?:{'|'.join(sorted(_CODE_OF_WORD, key=len, reverse=True))})\b\.?"
)
_CURRENCY = rf"(?:{_SIGN}|{_WORD})"
_CENTS = r"(?:[.,]\d{1,2}|[.,][-\u2013\u2014])?"
_WIDE_AMOUNT = rf"\d{{1,3}}(?:[.,'’\u00a0\u202f ]\d{{3}})+{_CENTS}(?!\d)"
_AMOUNT = rf"\d{{1,3}}(?:[.,'’\u00a0\u202f]\d{{3}})+{_CENTS}(?!\d)"
_PLAIN_AMOUNT = rf"\d{{1,9}}{_CENTS}(?!\d)"
_MONEY = re.compile(
    rf"(?P<before>{_CURRENCY})\s{{0,3}}(?P<amount>{_AMOUNT}|{_PLAIN_AMOUNT})"
    rf"(?:\s?(?P<code>{'|'.join(_CODES)})\b)?"
    rf"|(?<![\d.,])(?P<amount_first>{_WIDE_AMOUNT}|{_PLAIN_AMOUNT})"
    rf"\s{{0,3}}(?P<after>[$£¥](?!\s?\d)|(?![$£¥]){_CURRENCY})",
    re.IGNORECASE,
)
_LANGUAGE_REGION = re.compile(r"[a-z]{2,3}(?:[-_]([a-z]{2}))?", re.IGNORECASE)


class Money(NamedTuple):
    """An amount in a text, with where it stands."""

    amount: str
    """Digits with a point before the cents: `1299.00`."""
    sign: str
    """The sign or word that names the currency, as written."""
    start: int
    end: int


@lru_cache(maxsize=1 << 14)
def find_money(text: str) -> tuple[Money, ...]:
    """Return the amounts of money of a text, from left to right; remembered, as most
    texts of a site are on many of its pages.
    """
    found: list[Money] = []
    for match in _MONEY.finditer(text):
        sign = match["code"] or match["before"] or match["after"]
        written = match["amount"] or match["amount_first"]
        if len(written) <= MAX_AMOUNT_CHARS:
            amount = plain_amount(written)
            found.append(Money(amount, sign, match.start(), match.end()))
    return tuple(found)


def plain_amount(written: str) -> str:
    """Return an amount with a point before the cents and no other separator.

    The last separator stands before cents unless three digits follow it.
    """
    digits = re.sub(r"[^\d.,]", "", written).rstrip(".,")
    last = max(digits.rfind("."), digits.rfind(","))
    cents = digits[last + 1 :] if last >= 0 else ""
    if last < 0 or len(cents) == 3:
        return re.sub(r"\D", "", digits)
    whole = re.sub(r"\D", "", digits[:last])
    return f"{whole}.{cents}"


def currency_code(sign: str, url: str | None, language: str | None) -> str:
    """Return the ISO code of a currency. Where countries share a sign, the page's
    language and the end of its address decide.
    """
    key = sign.strip().rstrip(".")
    word = key.lower()
    shared = _SHARED_SIGNS.get(word)
    if shared:
        for hint in _region_hints(url, language):
            if hint in shared:
                return shared[hint]
    return _CODE_OF_SIGN.get(key.upper()) or _CODE_OF_WORD.get(word, key)


def _region_hints(url: str | None, language: str | None) -> Iterator[str]:
    """Yield what may say the country: of the language tag the region, the end of the
    host name, the language.
    """
    tag = _LANGUAGE_REGION.match(language or "")
    if tag and tag[1]:
        yield tag[1].lower()
    host = urlsplit(url or "").hostname or ""
    yield host.rpartition(".")[2]
    if tag:
        yield tag[0][:2].lower()
