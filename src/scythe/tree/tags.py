"""Tag names as small integers, and sets of tags as look-up tables over those integers.

Known HTML names have the same code in every tree, so `tree.tag == code("p")` works
across pages. A name outside the list (custom elements, SVG) gets the next free code of
its own tree; no `TagSet` contains such a code.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

TEXT = 0
"""The code of a text node, whose name is `#text`."""

KNOWN: tuple[str, ...] = tuple(
    """
    #text a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound
    big blink blockquote body br button canvas caption center cite code col colgroup data
    datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font
    footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img
    input ins isindex kbd keygen label legend li link listing main map mark marquee math menu
    menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p
    param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select
    slot small source span strike strong style sub summary sup svg table tbody td template
    textarea tfoot th thead time title tr track tt u ul var video wbr xmp
    """.split()
)

CODES: dict[str, int] = {name: index for index, name in enumerate(KNOWN)}

PLAIN_NAME = re.compile(r"[a-z][a-z0-9-]*")
"""Names of attributes that can stand in a selector as they are."""


def code(name: str) -> int:
    """Return the code of a known tag name."""
    return CODES[name]


def known_or_last(codes: NDArray[np.integer]) -> NDArray[np.intp]:
    """Return codes in which all beyond the known tags are one."""
    return np.minimum(codes, len(KNOWN)).astype(np.intp)


class TagSet:
    """A set of known tags, asked for a whole array of codes at once."""

    def __init__(self, names: str) -> None:
        self.names = frozenset(names.split())
        self.codes = frozenset(CODES[name] for name in self.names)
        self._table = np.zeros(len(KNOWN) + 1, dtype=bool)
        self._table[list(self.codes)] = True

    def mask(self, codes: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which of the codes are in the set; codes beyond the known tags never
        are.
        """
        return self.mask_of_known(known_or_last(codes))

    def mask_of_known(self, codes: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which of the codes that `known_or_last` gave are in the set."""
        return self._table.take(codes)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __or__(self, other: TagSet) -> TagSet:
        return TagSet(" ".join(self.names | other.names))


def tag_bits(*sets: TagSet) -> bytes:
    """Return for every known tag, and at last for all others, the sets that it is in as
    the bits of a byte.
    """
    bits = bytearray(len(KNOWN) + 1)
    for number, tags in enumerate(sets):
        for tag_code in tags.codes:
            bits[tag_code] |= 1 << number
    return bytes(bits)


BLOCK = TagSet(
    """
    address article aside blockquote body caption center col colgroup dd details dialog dir div
    dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup
    hr html legend li listing main menu nav noscript ol optgroup option p plaintext pre search
    section summary table tbody td tfoot th thead tr ul xmp
    """
)
"""Elements that a browser lays out as a box of their own, with a line break before and
after.
"""

SKIPPED = TagSet(
    """
    script style template head title noembed noframes iframe object applet audio video canvas
    svg math map datalist select option optgroup textarea button input meter progress param
    source track
    """
)
"""Elements whose text a reader does not see in the running text of the page."""

BREAKING = BLOCK | TagSet("br")
"""Elements that end a line of text where they begin and where they end."""

HEADING = TagSet("h1 h2 h3 h4 h5 h6")
PREFORMATTED = TagSet("pre listing xmp plaintext textarea")
VOID = TagSet(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param "
    "source track wbr"
)
