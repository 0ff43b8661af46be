"""What operators called slots on sites annotated before: words of labels and class
names, and the names they were given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Self

from scythe.errors import UsageError
from scythe.serialization import Serializable
from scythe.templates.slot import Slot

FORMAT = 1
WORTH = 0.85
"""What words are worth that many sites use for one thing only."""
MAX_WORDS = 20_000
_BORDER = re.compile(r"[^\w-]+|(?<=[a-z])(?=[A-Z])|[-_]+")
_COMMON = frozenset(
    """
    div span li ul ol td tr th table tbody text img strong em section article main body html label dd dt item list row col box
    wrap wrapper container content inner outer block field value left right top bottom small large
    """.split()
)
"""Words that say nothing of what an element holds."""


def words_of_place(step: str) -> set[str]:
    """The words of an element's class, id and property names that may mean something,
    in small letters.
    """
    return {
        word
        for word in map(str.lower, _BORDER.split(step))
        if len(word) > 2 and not word.isdigit() and word not in _COMMON
    }


def _clues(slot: Slot) -> Iterator[str]:
    """What a slot can be recognised by on another site."""
    label = "".join(filter(str.isalpha, slot.label.casefold()))
    if 1 < len(label) <= 40:
        yield f"label {label}"
    last = [step for step in slot.path.split(" > ") if step != "#text"][-2:]
    for word in sorted({word for step in last for word in words_of_place(step)}):
        yield f"class {word}"


class NameMemory(Serializable):
    """A small store of names, kept as JSON; for each clue on how many sites it meant
    which name.
    """

    LABEL: ClassVar[str] = "list of names"

    def __init__(self) -> None:
        self.sites: dict[str, dict[str, list[str]]] = {}
        """For each clue, for each name, the sites."""

    def learn(self, slots: Iterable[Slot], site: str) -> None:
        """Remember what an operator named on a site; proposals that nobody confirmed
        are not remembered.
        """
        for slot in slots:
            for clue in _clues(slot) if slot.name else ():
                if clue not in self.sites and len(self.sites) >= MAX_WORDS:
                    continue
                known = self.sites.setdefault(clue, {}).setdefault(slot.name or "", [])
                if site not in known:
                    known.append(site)

    def names_for(self, slot: Slot) -> Iterator[tuple[str, float, str]]:
        """Names that slots with the same clues have elsewhere, each with its weight and
        its evidence.
        """
        for clue in _clues(slot):
            names = self.sites.get(clue, {})
            total = len({site for sites in names.values() for site in sites})
            for name, sites in sorted(names.items()):
                weight = WORTH * len(sites) / total * len(sites) / (len(sites) + 1)
                yield (
                    name,
                    weight,
                    f"{clue!r} is {name} on {len(sites)} of {total} sites annotated before",
                )

    def as_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"scythe_names": FORMAT, "clues": self.sites}

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """What `as_json` gave."""
        if values.get("scythe_names") != FORMAT:
            raise UsageError(
                "These are no remembered names, or those of another version of Scythe."
            )
        memory = cls()
        memory.sites = {
            clue: {name: list(sites) for name, sites in names.items()}
            for clue, names in values["clues"].items()
        }
        return memory
