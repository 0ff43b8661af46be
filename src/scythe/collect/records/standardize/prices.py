"""Prices: an amount and a currency (ISO 4217), from "$1,299.00", "1.299,00 €", "ab
19,90 EUR", "CHF 1'299.-".
"""

# ruff: noqa: RUF001 - pages have these characters

from __future__ import annotations

import re
from typing import NamedTuple

from scythe.collect.records.standardize.numbers import (
    ascii_digits,
    parse_number,
    tidy_number,
)

_CODES = (
    "USD EUR GBP JPY CNY INR RUB KRW TRY UAH THB VND ILS BRL MXN ARS CLP COP PEN CAD "
    "AUD NZD HKD SGD TWD CHF SEK NOK DKK ISK PLN "
    "CZK HUF RON BGN IDR MYR PHP ZAR AED SAR EGP NGN KES PKR BDT LKR"
)
_SIGNS = {
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "₺": "TRY",
    "₴": "UAH",
    "฿": "THB",
    "₫": "VND",
    "₪": "ILS",
    "zł": "PLN",
    "kč": "CZK",
    "ft": "HUF",
    "rs": "INR",
    "руб": "RUB",
    "р": "RUB",
    "rmb": "CNY",
    "元": "CNY",
    "円": "JPY",
    "원": "KRW",
    "us$": "USD",
    "c$": "CAD",
    "ca$": "CAD",
    "a$": "AUD",
    "au$": "AUD",
    "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD",
    "nt$": "TWD",
    "r$": "BRL",
    "mx$": "MXN",
    "$": "USD",
    "¥": "JPY",
    "￥": "CNY",
    "euro": "EUR",
    "euros": "EUR",
    "dollars": "USD",
    "pounds": "GBP",
    "kr": "",
}
"""Signs and words for currencies. "kr" is that of several countries; "$" is taken for
the United States' and "¥" for Japan's unless the schema names another.
"""

_CURRENCY_OF = {**_SIGNS, **{code.lower(): code for code in _CODES.split()}}
_CURRENCY = "|".join(sorted(map(re.escape, _CURRENCY_OF), key=len, reverse=True))
_AMOUNT = (
    r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3}(?!\d))+(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?"
)
_PRICE = re.compile(
    rf"(?:(?<![^\W\d_])(?P<before>{_CURRENCY})\.?\s*)?(?P<amount>{_AMOUNT})(?:[.,][-–—]+)?"
    rf"(?(before)|(?:\s*(?P<after>{_CURRENCY})(?![^\W\d_]))?)",
    re.IGNORECASE,
)
_FREE = re.compile(r"(?:for\s+)?free|gratis|kostenlos|gratuit|0", re.IGNORECASE)
_MAX_LENGTH = 300
"""Characters of a text that are read: an arbitrary cap against hostile pages."""
_AMBIGUOUS = {"$", "¥", "￥", "kr"}


class Price(NamedTuple):
    """An amount of money; the currency is empty where the text does not say."""

    amount: float | int
    currency: str = ""


def parse_price(text: str, default: str = "") -> Price | None:
    """Return the price that a text says: of several amounts in a currency the lowest,
    which is what one pays at least or now.

    `default` is the currency where the text leaves it open.
    """
    text = ascii_digits(text.strip())[:_MAX_LENGTH]
    if _FREE.fullmatch(text):
        return Price(0, default)
    with_currency: list[Price] = []
    prices: list[Price] = []
    for match in _PRICE.finditer(text):
        amount = parse_number(match["amount"], money=True)
        if amount is None:
            continue
        sign = (match["before"] or match["after"] or "").lower()
        price = Price(tidy_number(amount), _currency(sign, default))
        prices.append(price)
        if sign:
            with_currency.append(price)

    if with_currency:
        return min(with_currency)
    return prices[0] if len(prices) == 1 else None


def _currency(sign: str, default: str) -> str:
    if not sign or (sign in _AMBIGUOUS and default):
        return default
    return _CURRENCY_OF.get(sign, "")


def currency_code(text: str) -> str | None:
    """Return the code of a currency that stands alone: "EUR", "€"."""
    text = text.strip()
    if re.fullmatch(r"[A-Za-z]{3}", text) and text.lower() not in _SIGNS:
        return text.upper()
    return _CURRENCY_OF.get(text.lower().rstrip(".")) or None
