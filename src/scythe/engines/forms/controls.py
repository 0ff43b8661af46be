"""The controls of a page: to which form each belongs, what it says of itself, and what
it sends if nobody touches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scythe.tree.tags import TagSet, code
from scythe.tree.tree import Tree

FORM, LABEL, OPTION, FIELDSET, DATALIST = (
    code(name) for name in ("form", "label", "option", "fieldset", "datalist")
)
CONTROLS = TagSet("input select textarea button")
_KNOWN_TYPES = frozenset(
    """
    hidden text search tel url email password date month week time datetime-local number range color checkbox radio file
    submit image reset button
    """.split()
)
SUBMITS = frozenset({"submit", "image"})
_UNSEEN = TagSet("script style noscript template select textarea")


@dataclass(frozen=True, slots=True)
class Item:
    """One control as the page has it."""

    node: int
    kind: str
    """The type of an input, `select`, `textarea`, or the type of a button."""
    name: str
    attributes: Mapping[str, str] = field(repr=False)
    label: str = ""
    """What the page says it is for: its label and its own words (placeholder, title,
    alternative text).
    """
    disabled: bool = False

    @property
    def takes_words(self) -> bool:
        """Whether a query could be typed into it."""
        return self.kind in ("text", "search", "textarea") and not self.disabled


@dataclass(frozen=True, eq=False)
class Controls:
    """All controls of a page by their forms; those of no form have the owner -1."""

    tree: Tree

    @cached_property
    def forms(self) -> list[int]:
        """The form elements in document order."""
        return np.flatnonzero(self.tree.tag == FORM).tolist()

    @cached_property
    def by_form(self) -> dict[int, list[Item]]:
        """The controls of each form in document order."""
        owned: dict[int, list[Item]] = {form: [] for form in self.forms}
        nodes = np.flatnonzero(self.tree.has_tag(CONTROLS)).tolist()
        for node, owner in self._owners(nodes):
            owned.setdefault(owner, []).append(self._item(node))
        return owned

    def _owners(self, nodes: list[int]) -> Iterator[tuple[int, int]]:
        """Each control with its form: the one it names, the one around it, or an open
        one.

        Where a form begins between the rows of a table, parsers close it at once and
        count what follows to it all the same.
        """
        tree, forms = self.tree, self.forms
        named = {
            identity: form
            for form in reversed(forms)
            if (identity := tree.attributes(form).get("id"))
        }
        around = np.full(len(tree), -1, dtype=np.int64)
        for form in forms:
            around[form : tree.end[form]] = form
        filled = {int(around[node]) for node in nodes}
        for node in nodes:
            wanted = tree.attributes(node).get("form")
            if wanted in named:
                yield node, named[wanted]
            elif around[node] >= 0:
                yield node, int(around[node])
            else:
                place = int(np.searchsorted(forms, node)) - 1
                yield (
                    node,
                    forms[place] if place >= 0 and forms[place] not in filled else -1,
                )

    def _item(self, node: int) -> Item:
        tree, attributes = self.tree, self.tree.attributes(node)
        tag, kind = tree.name(node), attributes.get("type", "").strip().lower()
        if tag == "input":
            kind = kind if kind in _KNOWN_TYPES else "text"
        elif tag == "button":
            kind = kind if kind in ("reset", "button") else "submit"
        else:
            kind = tag
        disabled = "disabled" in attributes or bool(self._unused[node])
        own = [
            attributes.get(name, "")
            for name in ("placeholder", "aria-label", "title", "alt")
        ]
        if kind in ("submit", "button", "reset", "image"):
            own += [attributes.get("value", ""), text_below(tree, node)]
        return Item(
            node,
            kind,
            attributes.get("name", ""),
            attributes,
            " ".join([self._label(node, attributes), *own]),
            disabled,
        )

    @cached_property
    def _unused(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """What stands in a disabled group, or in a list of suggestions."""
        roots = self.tree.tag == DATALIST
        for node in np.flatnonzero(self.tree.tag == FIELDSET).tolist():
            roots[node] = "disabled" in self.tree.attributes(node)
        return self.tree.below(roots)

    @cached_property
    def _labels(self) -> dict[str, str]:
        """The words of labels by the control they name."""
        nodes = np.flatnonzero(self.tree.tag == LABEL).tolist()
        return {
            target: text_below(self.tree, node)
            for node, target in zip(
                nodes, self.tree.attribute_values("for", nodes), strict=True
            )
            if target
        }

    def _label(self, node: int, attributes: Mapping[str, str]) -> str:
        said = self._labels.get(attributes.get("id", "\0"), "")
        parent = int(self.tree.parent[node])
        for _ in range(3):
            if not said and parent > 0 and self.tree.tag[parent] == LABEL:
                said = text_below(self.tree, parent)
            parent = int(self.tree.parent[parent]) if parent > 0 else parent
        return said


def text_below(tree: Tree, node: int) -> str:
    """The words under a node, without those of scripts and of choices."""
    part = slice(node, int(tree.end[node]))
    texts = tree.text[part].copy()
    for skipped in np.flatnonzero(_UNSEEN.mask(tree.tag[part])).tolist():
        if skipped:
            texts[skipped : int(tree.end[node + skipped]) - node] = ""
    return " ".join(" ".join(texts.tolist()).split())


def values_of(tree: Tree, item: Item) -> Iterator[str]:
    """What a control sends if nobody touches it."""
    attributes = item.attributes
    if item.kind in ("checkbox", "radio"):
        if "checked" in attributes:
            yield attributes.get("value", "on")
    elif item.kind == "select":
        yield from _chosen(tree, item)
    elif item.kind == "textarea":
        yield "".join(tree.text[item.node : tree.end[item.node]].tolist())
    elif item.kind not in ("submit", "image", "reset", "button", "file"):
        yield attributes.get("value", "")


def _chosen(tree: Tree, item: Item) -> Iterator[str]:
    """The options that are selected; where none is, the first one, as browsers show it."""
    part = slice(item.node, int(tree.end[item.node]))
    options = (np.flatnonzero(tree.tag[part] == OPTION) + item.node).tolist()
    usable = [option for option in options if "disabled" not in tree.attributes(option)]
    chosen = [option for option in options if "selected" in tree.attributes(option)]
    if "multiple" not in item.attributes:
        chosen = (chosen or usable[:1])[-1:]
    for option in chosen:
        value = tree.attributes(option).get("value")
        yield (
            " ".join("".join(tree.text[option : tree.end[option]].tolist()).split())
            if value is None
            else value
        )
