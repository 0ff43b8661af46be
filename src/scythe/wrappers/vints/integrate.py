"""One wrapper from those of several sample pages (ViNTs, section 5.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scythe.wrappers.vints.rule import Separated


@dataclass(frozen=True)
class _Integrated:
    """A wrapper and how many sample pages it is integrated from."""

    rule: Separated
    support: int = 1

    def with_(self, other: _Integrated) -> _Integrated | None:
        """Both as one; None where separators or prefixes do not go together."""
        mine, theirs = set(self.rule.separators), set(other.rule.separators)
        if not (mine <= theirs or mine >= theirs):
            return None
        larger, smaller = (self.rule, other.rule) if mine >= theirs else (other.rule, self.rule)
        if larger.compact().prefix != smaller.compact().prefix:
            return None
        rule = larger if larger.prefix == smaller.prefix else larger.compact()
        return _Integrated(_bounded(rule, smaller), self.support + other.support)


def integrate(rules: Sequence[Separated]) -> Separated | None:
    """The integrated wrapper with the largest support; of several, the one whose first page came first."""
    left = [_Integrated(rule) for rule in rules]
    done: list[_Integrated] = []
    while left:
        wrapper = left.pop(0)
        for place, other in enumerate(left):
            both = wrapper.with_(other)
            if both is not None:
                left[place] = both
                break
        else:
            done.append(wrapper)
    return max(done, key=lambda wrapper: wrapper.support).rule if done else None


def _bounded(rule: Separated, other: Separated) -> Separated:
    """The rule with the wider bounds of the two."""
    most = None if rule.max is None or other.max is None else max(rule.max, other.max)
    return replace(rule, min=min(rule.min, other.min), max=most)
