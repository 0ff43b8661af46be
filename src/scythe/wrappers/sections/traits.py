"""The traits of a group as numbers, in the order in which the model knows them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import CODES
from scythe.tree.tree import Tree
from scythe.wrappers.sections.facts import Facts
from scythe.wrappers.sections.groups import Group
from scythe.wrappers.sections.likeness import jaccard, shapes_of

Traits = dict[str, float]

LOOKED_AT = 60
"""Records of a group that are compared with each other: as many tell what a group is
like.
"""
LOOKED_INTO = 12
KINDS = ("siblings", "path", "class", "runs")


def traits_of(facts: Facts, groups: Sequence[Group]) -> list[Traits]:
    """The traits of all groups of a page; some of them compare a group with the others."""
    traits = [
        {
            **_amounts(facts, group),
            **_likeness(facts, group),
            **_links(facts, group),
            **_place(facts, group),
            **_form(facts, group),
        }
        for group in groups
    ]
    _compare(groups, traits)
    return traits


def _amounts(facts: Facts, group: Group) -> Traits:
    """How much text, links, pictures and other things the records have, and how evenly."""
    sums = facts.sums
    held = {
        name: (values[group.stops] - values[group.starts]).astype(np.float64)
        for name, values in sums.items()
    }
    words, number = held["words"], len(group.spans)
    mean = words.mean() + 1e-9
    traits = {
        "records": min(number, 200),
        "log_records": np.log(number),
        "word_share": words.sum() / max(sums["words"][-1], 1),
        "words": np.log1p(words.mean()),
        "words_spread": words.std() / mean,
        "words_least": np.log1p(words.min()),
        "words_median": np.median(words) / mean,
        "words_most": words.max() / mean,
        "link_word_share": held["link_words"].sum() / max(words.sum(), 1),
        "one_heading": (held["headings"] == 1).mean(),
    }
    for name in ("links", "headings", "images", "elements", "texts", "inline", "items"):
        traits[name] = np.log1p(held[name].mean())
        traits[f"{name}_spread"] = held[name].std() / (held[name].mean() + 1e-9)
    for name in (
        "links",
        "headings",
        "images",
        "items",
        "numbers",
        "prices",
        "dates",
        "sentences",
    ):
        traits[f"{name}_share"] = (held[name] > 0).mean()
    return traits


def _likeness(facts: Facts, group: Group) -> Traits:
    """How alike neighbours are, and all of them to what most have."""
    starts, stops = group.starts[:LOOKED_AT], group.stops[:LOOKED_AT]
    shapes, tags = (
        shapes_of(facts.shape, starts, stops),
        shapes_of(facts.tag_shape, starts, stops),
    )
    next_to, next_tags = jaccard(shapes[:-1], shapes[1:]), jaccard(tags[:-1], tags[1:])
    usual = jaccard(shapes, shapes.mean(axis=0) >= 0.5)
    return {
        "like_next": next_to.mean(),
        "like_next_least": next_to.min(),
        "tags_like_next": next_tags.mean(),
        "tags_like_next_least": next_tags.min(),
        "like_usual": usual.mean(),
        "unlike_usual": (usual < 0.3).mean(),
    }


def _links(facts: Facts, group: Group) -> Traits:
    """The first link of each record: the title of a result is one, and each leads
    somewhere else.
    """
    links, words = facts.links, facts.sums["words"]
    places = np.searchsorted(links, group.starts)
    having = places < np.searchsorted(links, group.stops)
    first = links[places[having]]
    before = words[first] - words[group.starts[having]]
    within = words[facts.tree.end[first]] - words[first]
    return {
        "targets": len({facts.addresses[place] for place in places[having].tolist()})
        / len(group.spans),
        "link_words": np.log1p(within.mean()) if len(first) else -1.0,
        "words_before_link": np.log1p(before.mean()) if len(first) else -1.0,
    }


def _place(facts: Facts, group: Group) -> Traits:
    """Where on the page the group is, and how much of its surroundings it fills."""
    tree, words = facts.tree, facts.sums["words"]
    first, last = int(group.starts[0]), int(group.stops[-1])
    home = home_of(tree, group)
    own, total = (words[group.stops] - words[group.starts]).sum(), max(words[-1], 1)
    around = max(words[tree.end[home]] - words[home], 1)
    siblings = _siblings(facts, home)
    return {
        "fills_home": own / around,
        "home_share": around / total,
        "dense": own / max(words[last] - words[first], 1),
        "begins": words[first] / total,
        "ends": words[last] / total,
        "off_centre": abs((words[first] + words[last]) / total - 1) / 2,
        "first_node": first / len(tree),
        "depth": tree.depth[first],
        "depth_in_home": tree.depth[first] - tree.depth[home],
        "furniture": float(facts.furniture[first]),
        "homes": np.log1p(len(siblings)),
        "homes_alike": _alike(facts, home, siblings),
        **_left_out(facts, group),
    }


def home_of(tree: Tree, group: Group) -> int:
    """The lowest element that has all records of the group below it."""
    first, last = int(group.starts[0]), int(group.starts[-1])
    home = int(tree.parent[first])
    while last >= tree.end[home]:
        home = int(tree.parent[home])
    return home


def _siblings(facts: Facts, node: int) -> list[int]:
    tree = facts.tree
    parent = int(tree.parent[node])
    if parent < 0:
        return []
    return [
        other
        for other in tree.children(parent)
        if other != node and tree.tag[other] == tree.tag[node] and facts.filled[other]
    ]


def _alike(facts: Facts, node: int, others: Sequence[int]) -> float:
    """Where a list's home has siblings like it, it is itself one of several records, or
    one of several lists.
    """
    if not others:
        return 0.0
    nodes = np.array([node, *others[:30]])
    shapes = shapes_of(facts.tag_shape, nodes, facts.tree.end[nodes].astype(np.int64))
    return float(jaccard(shapes[:1], shapes[1:]).mean())


def _left_out(facts: Facts, group: Group) -> Traits:
    """The other children of the records' parents: a group that leaves out its like is
    not whole.
    """
    tree = facts.tree
    taken = set(group.starts.tolist())
    others: list[int] = []
    if group.kind != "runs":
        for parent in np.unique(tree.parent[group.starts[:LOOKED_AT]]).tolist():
            others += [
                child
                for child in tree.children(parent)
                if facts.filled[child] and child not in taken
            ]
    number = len(group.spans)
    inside = sum(group.starts[0] < other < group.stops[-1] for other in others)
    middle = int(group.starts[number // 2])
    return {
        "left_out": len(others) / number,
        "left_out_inside": inside / number,
        "left_out_alike": _alike(facts, middle, others),
    }


def _form(facts: Facts, group: Group) -> Traits:
    """Of which kind the group is, and the element that a record is."""
    tree = facts.tree
    first = int(group.starts[0])
    children = [
        sum(1 for child in tree.children(int(start)) if facts.filled[child])
        for start in group.starts[:LOOKED_INTO]
    ]
    return {
        **{kind: float(group.kind == kind) for kind in KINDS},
        "by_class": float(group.by_class),
        "children": np.log1p(np.mean(children)),
        **{
            f"is_{name}": float(tree.tag[first] == CODES[name])
            for name in ("li", "tr", "div", "td")
        },
    }


def _compare(groups: Sequence[Group], traits: Sequence[Traits]) -> None:
    """Add how a group stands among the others: the largest by words and number, and
    whether another holds it.
    """
    words = np.array([trait["word_share"] for trait in traits])
    numbers = np.array([trait["records"] for trait in traits])
    begins = np.array([group.starts[0] for group in groups])
    ends = np.array([group.stops[-1] for group in groups])
    first_ends = np.array([group.stops[0] for group in groups])
    for place, trait in enumerate(traits):
        holders = (begins <= begins[place]) & (first_ends >= ends[place])
        held = (begins >= begins[place]) & (ends <= first_ends[place])
        holders[place] = held[place] = False
        trait["words_of_most"] = words[place] / max(words.max(), 1e-9)
        trait["records_of_most"] = numbers[place] / numbers.max()
        trait["holders"] = np.log1p(numbers[holders].max(initial=0))
        trait["held"] = np.log1p(numbers[held].max(initial=0))


def rows_of(traits: Sequence[Traits], names: Sequence[str]) -> NDArray[np.float32]:
    """Traits as rows of features with a column for each group."""
    return np.array(
        [[trait[name] for trait in traits] for name in names], dtype=np.float32
    )
