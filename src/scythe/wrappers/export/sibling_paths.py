"""XPaths inside records of several siblings, such as a `dt` with its `dd`, from the first
of them to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_WAYS = 8
"""Ways to one sibling, over the optional ones before it: a bound on the length of a
path.
"""


@dataclass(frozen=True)
class Sibling:
    """One of the elements of a record: its tag, and the test that it passes."""

    tag: str
    test: str
    optional: bool


def sibling_starts(siblings: Sequence[Sibling]) -> list[list[str]]:
    """Return the ways from the first element of a record to each of its elements.

    Each step goes to the next element of one of the record's tags and asks whether it
    is the one: where it is not, the record lacks it, and that of the next record is not
    taken for it.
    """
    tags = dict.fromkeys(sibling.tag for sibling in siblings)
    any_tag = " or ".join(f"self::{tag}" for tag in tags)
    ways: list[list[str]] = []
    for number, sibling in enumerate(siblings):
        if not number:
            ways.append([f"self::{sibling.test}"])
            continue
        step = f"following-sibling::*[{any_tag}][1][self::{sibling.test}]"
        starts = _before(siblings[:number], ways)
        longer = [f"{start}/{step}" for start in starts]
        ways.append(longer[:MAX_WAYS])
    return ways


def _before(siblings: Sequence[Sibling], ways: Sequence[Sequence[str]]) -> list[str]:
    """Return the ways to whichever element may stand before the next: those that a
    record may lack can be passed over.
    """
    starts: list[str] = []
    for sibling, paths in zip(reversed(siblings), reversed(ways), strict=True):
        starts += paths
        if not sibling.optional:
            break
    return starts
