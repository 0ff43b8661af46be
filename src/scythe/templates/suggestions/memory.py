"""What operators called slots on sites annotated before: words of labels and class
names, and the names they were given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Self

from scythe.errors import UsageError
from scythe.serialization import Serializable
from scythe.templates.slot import FieldName, Slot

FORMAT = 1
MAX_WEIGHT = 0.85
"""What clues are worth that many sites use for one field only. Set by hand."""
MAX_CLUES = 20_000
"""Clues that a memory has. A bound on its size."""
_MAX_LABEL = 40
"""Letters of a label that is a clue."""
_NEAR_STEPS = 2
"""Elements around a value whose class names are clues."""

_BORDER = re.compile(r"[^\w-]+|(?<=[a-z])(?=[A-Z])|[-_]+")
_COMMON_WORDS = frozenset(
    """
    div span li ul ol td tr th table tbody text img strong em section article main body
    html label dd dt item list row col box wrap wrapper container content inner outer
    block field value left right top bottom small large
    """.split()
)
"""Words that say nothing of what an element holds."""


def element_words(step: str) -> set[str]:
    """Return the words of an element's class, id and property names that may mean
    something, in small letters.
    """
    words: set[str] = set()
    for part in _BORDER.split(step):
        word = part.lower()
        if len(word) <= 2 or word.isdigit():
            continue
        if word not in _COMMON_WORDS:
            words.add(word)
    return words


def _clues(slot: Slot) -> Iterator[str]:
    """Yield what a slot can be recognised by on another site."""
    label = "".join(filter(str.isalpha, slot.label.casefold()))
    if 1 < len(label) <= _MAX_LABEL:
        yield f"label {label}"
    elements = [step for step in slot.path.split(" > ") if step != "#text"]
    words: set[str] = set()
    for element in elements[-_NEAR_STEPS:]:
        words |= element_words(element)
    for word in sorted(words):
        yield f"class {word}"


class NameMemory(Serializable):
    """A small store of names, kept as JSON; for each clue on how many sites it meant
    which name.
    """

    LABEL: ClassVar[str] = "list of names"

    def __init__(self) -> None:
        self.sites: dict[str, dict[FieldName, list[str]]] = {}
        """For each clue, for each name, the sites."""

    def learn(self, slots: Iterable[Slot], site: str) -> None:
        """Remember what an operator named on a site; suggestions that nobody confirmed
        are not remembered.
        """
        for slot in slots:
            if not slot.name:
                continue
            for clue in _clues(slot):
                if clue not in self.sites and len(self.sites) >= MAX_CLUES:
                    continue
                known = self.sites.setdefault(clue, {}).setdefault(slot.name, [])
                if site not in known:
                    known.append(site)

    def names_for(self, slot: Slot) -> Iterator[tuple[FieldName, float, str]]:
        """Yield names that slots with the same clues have elsewhere, each with its
        weight and its evidence.
        """
        for clue in _clues(slot):
            names = self.sites.get(clue, {})
            all_sites: set[str] = set()
            for sites in names.values():
                all_sites.update(sites)
            total = len(all_sites)
            for name, sites in sorted(names.items()):
                count = len(sites)
                weight = MAX_WEIGHT * count / total * count / (count + 1)
                reason = (
                    f"{clue!r} is {name} on {count} of {total} sites annotated before"
                )
                yield name, weight, reason

    def as_json(self) -> dict[str, Any]:
        """Return the memory as plain values."""
        return {"scythe_names": FORMAT, "clues": self.sites}

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Return the memory that `as_json` gave."""
        if values.get("scythe_names") != FORMAT:
            raise UsageError(
                "These are no remembered names, or those of another version of Scythe."
            )
        memory = cls()
        for clue, names in values["clues"].items():
            known = memory.sites.setdefault(clue, {})
            for name, sites in names.items():
                known[name] = list(sites)
        return memory
