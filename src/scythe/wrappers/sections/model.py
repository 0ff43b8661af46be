"""The trained model: which members of a group are records, and which group is the
page's main list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble, load_arrays, sigmoid
from scythe.wrappers.sections.boxes import visual_member_rows, visual_traits
from scythe.wrappers.sections.facts import Facts
from scythe.wrappers.sections.groups import Group
from scythe.wrappers.sections.members import member_rows
from scythe.wrappers.sections.traits import rows_of, traits_of

Rows = NDArray[np.float32]
LIKELY = 0.5
PLAUSIBLE = 0.02
"""From here on a group is taken for the list of the page; a page without such a group
has none. Confidence is of the third power of F1, so most groups are near 0. In
cross-validation 0.02 loses no list and 0.05 loses some.
"""
LIKELY_RIGHT = 0.3
"""From here on the list of a page is right on 97 of 100 labelled pages, below on half
of them (cross-validated).
"""
CERTAIN = 0.5
"""From here on a group is a list of records beyond doubt."""
FEWEST = 2
"""Where fewer members are likely records, the group is left as it is: its members are
unlike anything known.
"""


def members_of(facts: Facts, groups: Sequence[Group]) -> list[Rows]:
    """The features of the members of all groups; of rendered pages with boxes."""
    if facts.tree.box is None:
        return [member_rows(facts, group) for group in groups]
    return [
        np.concatenate(
            [member_rows(facts, group), visual_member_rows(facts.tree, group)]
        )
        for group in groups
    ]


def group_rows(
    facts: Facts, groups: Sequence[Group], probabilities: Sequence[NDArray[np.float64]]
) -> Rows:
    """The features of groups, with what is thought of their members."""
    traits = traits_of(facts, groups)
    for trait, group, likely in zip(traits, groups, probabilities, strict=True):
        trait |= {
            "likely": float(likely.mean()),
            "likely_least": float(likely.min()),
            "likely_share": float((likely >= LIKELY).mean()),
            "likely_lower": float(np.quantile(likely, 0.25)),
            "sure": float(np.abs(likely - LIKELY).mean()),
        }
        if facts.tree.box is not None:
            trait |= {
                f"box_{name}": value
                for name, value in visual_traits(facts.tree, group).items()
            }
    return rows_of(traits, sorted(traits[0]))


def likely_members(likely: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which members of a group are records."""
    kept = likely >= LIKELY
    return (
        kept if np.count_nonzero(kept) >= FEWEST else np.ones(len(likely), dtype=bool)
    )


@dataclass(frozen=True, eq=False)
class Model:
    """One model for pages with boxes or one for pages without."""

    members: TreeEnsemble
    groups: TreeEnsemble

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read a model file."""
        return cls.read(load_arrays(path))

    @classmethod
    def read(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Model:
        """Take the ensembles out of the arrays of a model file."""
        return cls(
            TreeEnsemble.from_arrays(arrays, "members"),
            TreeEnsemble.from_arrays(arrays, "groups"),
        )

    def likely(self, members: Sequence[Rows]) -> list[NDArray[np.float64]]:
        """How likely each member of each group is a record."""
        together = sigmoid(self.members.scores(np.concatenate(members, axis=1))[0])
        return np.split(together, np.cumsum([rows.shape[1] for rows in members])[:-1])

    def judge(self, facts: Facts, groups: Sequence[Group]) -> list[tuple[Group, float]]:
        """The groups without their false members, and how likely each is the page's
        list.
        """
        likely = self.likely(members_of(facts, groups))
        scores = sigmoid(self.groups.scores(group_rows(facts, groups, likely))[0])
        kept = [
            group.only(likely_members(members))
            for group, members in zip(groups, likely, strict=True)
        ]
        return list(zip(kept, scores.tolist(), strict=True))


def model_file(*, visual: bool) -> Path:
    """The model that comes with the package."""
    return Path(__file__).with_name("visual.npz" if visual else "tags.npz")


@cache
def default_model(*, visual: bool) -> Model:
    """The same, read once."""
    return Model.load(model_file(visual=visual))
