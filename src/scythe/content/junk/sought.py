"""What several steps look for, and the compiled core for all of them at once."""

from __future__ import annotations

from scythe.tree.compiled.signs import SignGroups
from scythe.tree.tags import TagSet, tag_bits

CODE = TagSet("pre code samp kbd listing xmp plaintext textarea")
"""Where brackets are what an author shows."""
INLINE = TagSet("span a b strong em i small time label cite data bdi font")
"""Elements that two words may stand in side by side."""
FIELDS = TagSet("input select textarea button")
TAG_BITS = tag_bits(INLINE, CODE, FIELDS)
"""Bits of tags, in the order of core/src/text/junk.rs."""

MAX_LINK_SIGN = 8
"""Characters of a sign with the space around it: a bound on work, not tuned."""
LINK_CHARACTERS = tuple("¶#§\u2693\U0001f517")
LINK_SIGNS = (*LINK_CHARACTERS, *[f"{sign}\ufe0f" for sign in LINK_CHARACTERS])
"""What generators of documentation show for a link to a place on the page."""
LINK_SIGN_BYTES = "\0".join(LINK_SIGNS).encode()

GROUPS = SignGroups(folds=True)
"""All signs that steps look for: what a page without capitals cannot have, it has not."""
