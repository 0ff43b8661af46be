"""Words by which forms and fields show what they are for, in the languages of the web."""

from __future__ import annotations

import re

SEARCH = re.compile(
    r"search|srch|\bfind|lookup|query|keyword|\bkwd?s?\b|suche|recherch|trouver|buscar|busca|búsqueda|busqueda|\bcerca|ricerca|trova|pesquis"
    r"|procur|zoek|\bs[øö]g|\bsök|\bsok\b|\bhaku|\bhae\b|etsi|szukaj|wyszuk|hled|hľad|vyhled|keres|căut|\bcaut|\bara(?:ma)?\b|αναζήτηση"
    r"|поиск|найти|искать|пошук|знайти|търс|traži|trazi|pretra|iskanje|išči|tìm|timkiem|\bcari\b|ค้นหา|搜|查询|查詢|查找|検索|검색|찾기|بحث|חיפוש"
    r"|खोज|paieška|otsi|meklē",
    re.IGNORECASE,
)
QUERY_NAME = re.compile(
    r"^(?:q|qq|qs|qt|s|st|query|keys?|keywords?|kw|kwd|term|terms|text|search|words?|wd|find|phrase|sq|query_?string|searchterms?|search_?text"
    r"|searchword|search_?string|search_?query|search_?key|p|k|w|words|searchstr|search_block_form|lucene|title|substring|crit|string|zoek"
    r"|suche|suchbegriff|busca|buscar|recherche|cerca|ntt|everything|freetext|fulltext|search_theme_form)$",
    re.IGNORECASE,
)
"""Names that fields for queries have: the common ones of search programs."""
REFINING = re.compile(
    r"author|user|member|name\b|city|town|location|place|where|zip|postal|postcode|date|year|month|day\b|from\b|\bto\b|min|max|price"
    r"|category|exclu|without|radius|distance|salary|isbn|state|country|region|agency|page|sort|email|phone|site",
    re.IGNORECASE,
)
"""What narrows a search down, beside the words searched for."""
ENTRY = re.compile(
    r"log.?in|log.?on|sign.?in|sign.?on|anmeld|einlogg|connexion|connecter|entrar|acceder|accedi|войти|вход|авториз|password|passwor[dt]"
    r"|mot de passe|contraseñ|senha|пароль|heslo|haslo|hasło|登录|登入|ログイン|로그인|forgot|remember",
    re.IGNORECASE,
)
JOINING = re.compile(
    r"regist|sign.?up|join|create|account|subscri|newsletter|abonn|e-?mail|inscri|suscri|mailing|iscri|рассыл|подпис|регистр|unsub|notify"
    r"|\boptin|mailchimp|list-manage",
    re.IGNORECASE,
)
WRITING = re.compile(
    r"comment|contact|message|feedback|reply|post\b|send|submit.?review|kommentar|mensaje|mensagem|kontakt|отправ|коммент|сообщ|question"
    r"|enquir|inquir|review|report|upload|vote|poll",
    re.IGNORECASE,
)
BUYING = re.compile(
    r"cart|basket|bag\b|quantity|qty|buy|checkout|order|add.to|warenkorb|panier|carrito|carrello|корзин|купить|wishlist|product_id|donat"
    r"|coupon|voucher|shipping|quote",
    re.IGNORECASE,
)
FILTERING = re.compile(
    r"filter|filtr|refine|facet|make\b|model|brand|manufactur|fabricant|marque|marke\b|categor|kategor|price|preis|prix|preço|цен[аы]|colou?r"
    r"|condition|size\b|mileage|bedroom|location|zip|distance|in.?stock|advanced",
    re.IGNORECASE,
)
"""What narrows down a catalogue."""
CHOOSING = re.compile(
    r"sort|order.?by|per.?page|limit|language|lang\b|currency|country|view|theme|style|jump|goto|show\b|display",
    re.IGNORECASE,
)

_PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.\[\]:/$?&=+#]+")


def spoken(name: str) -> str:
    """A name of a program as words: `searchBox_top` is `search Box top`."""
    return _PARTS.sub(" ", name)
