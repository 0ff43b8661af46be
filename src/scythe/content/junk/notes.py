"""Lines that a page puts between the paragraphs of its content and that are none: that an
advertisement stands here, that the story goes on below it, that a click shows all of a
quotation, and expressions of templates that nobody filled in; and who has reserved all
rights.
"""

from __future__ import annotations

import re

import numpy as np

from scythe.content.junk.selected import SelectedTexts
from scythe.content.junk.sought import CODE
from scythe.tree.text import line_borders
from scythe.tree.tree import Bools

_MAX_NOTE = 60
"""Characters of such a line; longer ones are not compared. A bound, not tuned."""
_NOTES = frozenset(
    (
        "advertisement",
        "advertisements",
        "continue reading the main story",
        "skip advertisement",
        "story continues below",
        "story continues below advertisement",
        "article continues below",
        "article continues below advertisement",
        "article continues after advertisement",
        "anzeige",
        "werbung",
        "publicité",
        "la suite après la publicité",
        "publicidad",
        "publicidade",
        "continua depois da publicidade",
        "pubblicità",
        "advertentie",
        "annons",
        "annonce",
        "reklama",
        "реклама",
        "click to expand",
        "zum vergrößern anklicken",
        "cliquez pour agrandir",
        "haz clic para expandir",
        "clicca per allargare",
        "clique para expandir",
        "广告",
        "廣告",
        "広告",
        "광고",
    )
)
_AROUND = " \t\n\r\xa0()[]-–—:.…▼↓"  # noqa: RUF001
_EXPRESSION = re.compile(
    r"\{\{(?:[\w$]++|\s*+[\w$]++(?:\.[\w$]++)++\s*+(?:\|[^{}]*+)?)\}\}"
)
_MAX_COPYRIGHT = 400
"""Characters of a notice of copyright. A bound, not tuned."""
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright)\s.{0,200}?(?:rights reserved|rechte vorbehalten"
    r"|droits r[eé]serv|derechos reservados|direitos reservados|diritti riservati)",
    re.IGNORECASE,
)
"""Of the truths of ten sets of pages, those of one have such notices."""
_SIGNS = (
    *_NOTES,
    "{{",
    *("rights reserved", "rechte vorbehalten", "droits r", "derechos reservados"),
    *("direitos reservados", "diritti riservati"),
    *("\u017f", "\u0131", "i\u0307"),
)
"""One of which all of these lines have, in lower case; at last the letters beyond ASCII
that a regular expression takes for s and i.
"""


def notes_between(page: SelectedTexts) -> Bools | None:
    """Return the text nodes of such lines. A line of which a link or bold type is only a
    part is not one, and neither is what an author shows as code.
    """
    if page.has_signs(_SIGNS) is False:
        return None
    is_note = [_is_note(text) for text in page.stripped]
    is_unfilled = [False] * len(is_note)
    if "{{" in page.joined:
        is_unfilled = [_EXPRESSION.search(text) is not None for text in page.texts]
    if not any(is_note) and not any(is_unfilled):
        return None

    tree = page.tree
    nodes = page.nodes
    lines = line_borders(tree)[nodes]
    has_text = np.array(page.stripped, dtype=bool)
    is_other = has_text & ~np.array(is_note)
    others = np.bincount(lines, is_other)
    notes = np.bincount(lines, is_note)
    unfilled = np.bincount(lines, is_unfilled)
    is_only_note = (others == 0) & (notes > 0)
    is_junk = is_only_note | (unfilled > 0)
    found = np.zeros(len(tree), dtype=bool)
    found[nodes[is_junk[lines]]] = True
    return found & ~tree.below(tree.has_tag(CODE))


def _is_note(text: str) -> bool:
    if not text or len(text) > _MAX_COPYRIGHT:
        return False
    is_short = len(text) <= _MAX_NOTE
    if is_short and text.strip(_AROUND).lower() in _NOTES:
        return True
    return text[0] in "©(cC" and _COPYRIGHT.match(text) is not None
