"""The language of a page as a BCP 47 tag: what it declares, else what its text shows."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from scythe.content.metadata.language_detection import detect_language
from scythe.content.metadata.signals import Signals
from scythe.content.metadata.values import SourcedValue, as_list
from scythe.tree.tree import Tree
from scythe.tree.visibility import visible

_TAG = re.compile(
    r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.@;,\s].*)?",
    re.IGNORECASE | re.DOTALL,
)
_LANGUAGE_NAMES = {
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
_MAX_TAG = 60
"""Characters read of a declared language; a bound on work, not tuned."""
_MAX_TEXTS = 200
"""Texts whose language is looked at; a bound on work, not tuned."""
_ALIASES = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "fil": "tl"}
"""Codes that pages use for one language."""
_NO_LANGUAGE = ("und", "mul", "zxx", "xx", "xxx", "utf")
_DAY_FIRST_ENGLISH = ("AU", "GB", "IE", "IN", "NZ", "SG", "ZA")


def find_language(signals: Signals) -> SourcedValue | None:
    """Return the declared language: the `lang` of the page, else that of meta tags or
    structured data. A page that declares none is in the language of its text.
    """
    for declared in _declared_languages(signals):
        tag = normalize_tag(declared.value)
        if tag:
            return SourcedValue(tag, declared.source)

    detected = detect_language(_longest_texts(signals.tree))
    return SourcedValue(detected, "text") if detected else None


def is_language(tag: str, requested: str) -> bool:
    """Return whether a tag is in a range of tags: `en` has `en-GB`, and not the other
    way round.
    """
    found, language_range = _canonical(tag), _canonical(requested)
    return found == language_range or found.startswith(f"{language_range}-")


def _canonical(tag: str) -> str:
    primary, *rest = tag.lower().split("-")
    return "-".join([_ALIASES.get(primary, primary), *rest])


def _longest_texts(tree: Tree) -> str:
    """Return the longest texts of a page: its sentences rather than its menus, which
    may be in another language.
    """
    is_shown = visible(tree) & tree.is_text
    texts = tree.texts(np.flatnonzero(is_shown))
    texts.sort(key=len, reverse=True)
    return " ".join(" ".join(texts[:_MAX_TEXTS]).split())


def normalize_tag(value: str) -> str | None:
    """Return `zh-Hans-CN`, `en-US`, `en` for `zh_hans_cn`, `EN-us`, `English`; None for
    what is no language.
    """
    text = value.strip()[:_MAX_TAG].lower()
    if text in _LANGUAGE_NAMES:
        return _LANGUAGE_NAMES[text]
    match = _TAG.fullmatch(text)
    if match is None or match[1] in _NO_LANGUAGE:
        return None
    script = (match[2] or "").title()
    region = (match[3] or "").upper()
    return "-".join(filter(None, (match[1], script, region)))


def is_day_first(signals: Signals, language: str | None) -> bool:
    """Return whether 03/05/2024 is the third of May on this page: everywhere but where
    English is, or may be, American.
    """
    if language and not language.startswith("en"):
        return True
    locales = signals.meta_tags.get("og:locale", [])[:1]
    tags = [language, *map(normalize_tag, locales)]
    return any(map(_is_day_first_english, filter(None, tags)))


def _is_day_first_english(tag: str) -> bool:
    return tag.startswith("en-") and tag.endswith(_DAY_FIRST_ENGLISH)


def _declared_languages(signals: Signals) -> Iterator[SourcedValue]:
    root = signals.tree.attributes(0)
    for name in ("lang", "xml:lang"):
        value = root.get(name)
        if value:
            yield SourcedValue(value, f"html {name}")
    yield from signals.meta_values(("content-language", "og:locale"))
    for main in signals.main_jsonld:
        for language in as_list(main.item.get("inLanguage"))[:1]:
            if isinstance(language, dict):
                language = language.get("alternateName") or language.get("name")
            if isinstance(language, str):
                yield SourcedValue(language, f"{main.syntax} inLanguage")
    yield from signals.meta_values(
        ("language", "dc.language", "dcterms.language", "dc:language", "inlanguage")
    )
