"""How good the records of an engine are, against what the engine says itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .real import Item, plain


@dataclass(frozen=True)
class Score:
    """Counts of results: right ones, those given, and those there are."""

    right: int = 0
    given: int = 0
    true: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.right + other.right, self.given + other.given, self.true + other.true
        )

    @property
    def precision(self) -> float:
        return self.right / self.given if self.given else float(not self.true)

    @property
    def recall(self) -> float:
        return self.right / self.true if self.true else 1.0


def judge(
    given: Iterable[tuple[str, str]],
    truth: Iterable[Item],
    key: Callable[[str], str] = str,
) -> Score:
    """Pairs of title and link against the truth: a result is right where both are."""
    shown = Counter((plain(title), key(link)) for title, link in given)
    true = Counter((plain(item.title), key(item.url)) for item in truth)
    return Score((shown & true).total(), shown.total(), true.total())
