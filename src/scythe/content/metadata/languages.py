"""The language that a page declares, as a BCP 47 tag."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scythe.content.metadata.signals import Found, Signals, values

_TAG = re.compile(
    r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.@;,\s].*)?",
    re.IGNORECASE | re.DOTALL,
)
_NAMES = {
    **dict.fromkeys(("english",), "en"),
    **dict.fromkeys(("french", "français", "francais"), "fr"),
    **dict.fromkeys(("german", "deutsch"), "de"),
    **dict.fromkeys(("italian", "italiano"), "it"),
    **dict.fromkeys(("portuguese", "português", "portugues"), "pt"),
    **dict.fromkeys(("spanish", "español", "espanol"), "es"),
    **dict.fromkeys(("russian", "русский"), "ru"),
    **dict.fromkeys(("chinese", "中文"), "zh"),
    **dict.fromkeys(("japanese", "日本語"), "ja"),
    **dict.fromkeys(("arabic", "العربية"), "ar"),
}
_NO_LANGUAGE = ("und", "mul", "zxx", "xx", "xxx", "utf")
_DAY_FIRST_ENGLISH = ("AU", "GB", "IE", "IN", "NZ", "SG", "ZA")


def find_language(signals: Signals) -> Found | None:
    """The declared language: the `lang` of the page, else what meta tags or structured
    data say.
    """
    for value, source in _declared(signals):
        if tag := normal_tag(value):
            return Found(tag, source)
    return None


def normal_tag(value: str) -> str | None:
    """`zh_hans_cn`, `EN-us`, `English` as `zh-Hans-CN`, `en-US`, `en`; None for what is
    no language.
    """
    text = value.strip()[:60].lower()
    if text in _NAMES:
        return _NAMES[text]
    found = _TAG.fullmatch(text)
    if found is None or found[1] in _NO_LANGUAGE:
        return None
    return "-".join(
        filter(None, (found[1], (found[2] or "").title(), (found[3] or "").upper()))
    )


def day_comes_first(signals: Signals, language: str | None) -> bool:
    """Whether 03/05/2024 is the third of May on this page: everywhere but where English
    is, or may be, American.
    """
    tags = [
        language or "",
        *(normal_tag(locale) or "" for locale in signals.meta.get("og:locale", ())[:1]),
    ]
    if tags[0] and not tags[0].startswith("en"):
        return True
    return any(
        tag.startswith("en-") and tag.endswith(_DAY_FIRST_ENGLISH) for tag in tags
    )


def _declared(signals: Signals) -> Iterator[Found]:
    root = signals.tree.attributes(0)
    for name in ("lang", "xml:lang"):
        if value := root.get(name):
            yield Found(value, f"html {name}")
    yield from signals.first_meta(("content-language", "og:locale"))
    for thing in signals.jsonld_things:
        for value in values(thing.item.get("inLanguage"))[:1]:
            code = (
                value.get("alternateName") or value.get("name")
                if isinstance(value, dict)
                else value
            )
            if isinstance(code, str):
                yield Found(code, f"{thing.syntax} inLanguage")
    yield from signals.first_meta(
        ("language", "dc.language", "dcterms.language", "dc:language", "inlanguage")
    )
