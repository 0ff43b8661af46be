"""Patterns of the words by which forms and fields show what they are for.

They cover the languages that the labelled forms and the web's common programs use.
"""

from __future__ import annotations

import re

SEARCH = re.compile(
    r"search|srch|\bfind|lookup|query|keyword|\bkwd?s?\b|suche|recherch|trouver"
    r"|buscar|busca|búsqueda|busqueda|\bcerca|ricerca|trova|pesquis|procur|zoek"
    r"|\bs[øö]g|\bsök|\bsok\b|\bhaku|\bhae\b|etsi|szukaj|wyszuk|hled|hľad|vyhled"
    r"|keres|căut|\bcaut|\bara(?:ma)?\b|αναζήτηση|поиск|найти|искать|пошук|знайти"
    r"|търс|traži|trazi|pretra|iskanje|išči|tìm|timkiem|\bcari\b|ค้นหา|搜|查询|查詢"
    r"|查找|検索|검색|찾기|بحث|חיפוש|खोज|paieška|otsi|meklē",
    re.IGNORECASE,
)
QUERY_NAME = re.compile(
    r"^(?:q|qq|qs|qt|s|st|query|keys?|keywords?|kw|kwd|term|terms|text|search|words?"
    r"|wd|find|phrase|sq|query_?string|searchterms?|search_?text|searchword"
    r"|search_?string|search_?query|search_?key|p|k|w|words|searchstr"
    r"|search_block_form|lucene|title|substring|crit|string|zoek|suche|suchbegriff"
    r"|busca|buscar|recherche|cerca|ntt|everything|freetext|fulltext"
    r"|search_theme_form)$",
    re.IGNORECASE,
)
"""Names that fields for queries have: the common ones of search programs."""
REFINEMENT = re.compile(
    r"author|user|member|name\b|city|town|location|place|where|zip|postal|postcode"
    r"|date|year|month|day\b|from\b|\bto\b|min|max|price|category|exclu|without"
    r"|radius|distance|salary|isbn|state|country|region|agency|page|sort|email|phone"
    r"|site",
    re.IGNORECASE,
)
"""Fields that narrow a search down, beside the one for the query."""
LOGIN = re.compile(
    r"log.?in|log.?on|sign.?in|sign.?on|anmeld|einlogg|connexion|connecter|entrar"
    r"|acceder|accedi|войти|вход|авториз|password|passwor[dt]|mot de passe|contraseñ"
    r"|senha|пароль|heslo|haslo|hasło|登录|登入|ログイン|로그인|forgot|remember",
    re.IGNORECASE,
)
REGISTRATION = re.compile(
    r"regist|sign.?up|join|create|account|subscri|newsletter|abonn|e-?mail|inscri"
    r"|suscri|mailing|iscri|рассыл|подпис|регистр|unsub|notify|\boptin|mailchimp"
    r"|list-manage",
    re.IGNORECASE,
)
MESSAGE = re.compile(
    r"comment|contact|message|feedback|reply|post\b|send|submit.?review|kommentar"
    r"|mensaje|mensagem|kontakt|отправ|коммент|сообщ|question|enquir|inquir|review"
    r"|report|upload|vote|poll",
    re.IGNORECASE,
)
PURCHASE = re.compile(
    r"cart|basket|bag\b|quantity|qty|buy|checkout|order|add.to|warenkorb|panier"
    r"|carrito|carrello|корзин|купить|wishlist|product_id|donat|coupon|voucher"
    r"|shipping|quote",
    re.IGNORECASE,
)
FILTER = re.compile(
    r"filter|filtr|refine|facet|make\b|model|brand|manufactur|fabricant|marque"
    r"|marke\b|categor|kategor|price|preis|prix|preço|цен[аы]|colou?r|condition"
    r"|size\b|mileage|bedroom|location|zip|distance|in.?stock|advanced",
    re.IGNORECASE,
)
"""Controls that narrow down a catalogue."""
DISPLAY = re.compile(
    r"sort|order.?by|per.?page|limit|language|lang\b|currency|country|view|theme"
    r"|style|jump|goto|show\b|display",
    re.IGNORECASE,
)

_IDENTIFIER_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.\[\]:/$?&=+#]+")


def identifier_words(name: str) -> str:
    """Return an identifier as words: `searchBox_top` is `search Box top`."""
    return _IDENTIFIER_BREAK.sub(" ", name)
