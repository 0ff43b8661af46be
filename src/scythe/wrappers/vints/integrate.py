"""One wrapper from those of several sample pages (ViNTs, section 5.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scythe.wrappers.vints.rule import Separated


@dataclass(frozen=True)
class Integrated:
    """A wrapper, its prefix compact, and its support: how many wrappers of sample pages
    it is integrated from.
    """

    rule: Separated
    support: int = 1

    def joined(self, other: Integrated) -> Integrated | None:
        """Both as one; None where their separators or prefixes do not go together."""
        mine, theirs = set(self.rule.separators), set(other.rule.separators)
        if not (mine <= theirs or mine >= theirs):
            return None
        larger, smaller = (
            (self.rule, other.rule) if mine >= theirs else (other.rule, self.rule)
        )
        if larger.compact().prefix != smaller.compact().prefix:
            return None
        return Integrated(
            _bounded(larger.compact(), smaller), self.support + other.support
        )


def integrate(rules: Sequence[Separated]) -> list[Integrated]:
    """The integrated wrappers with the largest support: one, or several that no more
    pages agree on.
    """
    left = [Integrated(rule.compact()) for rule in rules]
    done: list[Integrated] = []
    while left:
        wrapper = left.pop(0)
        for place, other in enumerate(left):
            both = wrapper.joined(other)
            if both is not None:
                left[place] = both
                break
        else:
            done.append(wrapper)
    most = max((wrapper.support for wrapper in done), default=0)
    return [wrapper for wrapper in done if wrapper.support == most]


def _bounded(rule: Separated, other: Separated) -> Separated:
    """The rule with the wider bounds of the two."""
    most = None if rule.max is None or other.max is None else max(rule.max, other.max)
    return replace(rule, min=min(rule.min, other.min), max=most)
