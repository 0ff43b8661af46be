"""The controls of a page: which form each belongs to, its label, and its default value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scythe.tree.tags import TagSet, code
from scythe.tree.tree import Tree

FORM = code("form")
LABEL = code("label")
OPTION = code("option")
FIELDSET = code("fieldset")
DATALIST = code("datalist")
CONTROL_TAGS = TagSet("input select textarea button")
INPUT_TYPES = frozenset(
    "hidden text search tel url email password date month week time datetime-local "
    "number range color checkbox radio file submit image reset button".split()
)
"""The types of `<input>`; any other type is a text field, as in browsers."""
SUBMIT_KINDS = frozenset({"submit", "image"})
BUTTON_KINDS = frozenset({"submit", "button", "reset", "image"})
NO_FORM = -1
"""The owner of controls that belong to no form."""
MAX_FORMS = 500
MAX_CONTROLS = 5000
MAX_LABELS = 5000
LABEL_TEXT = 300
"""Forms, controls and labels of a page that are read, and letters of a label: bounds on
work, far beyond what pages for people have, not tuned.
"""
LABEL_LEVELS = 3
"""Ancestors of a control that are tried as its label: a bound on work, not tuned."""
_WITHOUT_LABEL_TEXT = TagSet("script style noscript template select textarea")
_DESCRIBING_ATTRIBUTES = ("placeholder", "aria-label", "title", "alt")


@dataclass(frozen=True, slots=True)
class PageControl:
    """One control as the page has it."""

    node: int
    kind: str
    """The type of an input, `select`, `textarea`, or the type of a button."""
    name: str
    attributes: Mapping[str, str] = field(repr=False)
    label: str = ""
    """Its label, and its own words: placeholder, title, alternative text, caption."""
    disabled: bool = False

    @property
    def takes_text(self) -> bool:
        """Whether a query could be typed into it."""
        if self.disabled:
            return False
        return self.kind in ("text", "search", "textarea")


@dataclass(frozen=True, eq=False)
class PageControls:
    """All controls of a page by their forms."""

    tree: Tree

    @cached_property
    def forms(self) -> list[int]:
        """The form elements in document order."""
        forms = np.flatnonzero(self.tree.tag == FORM)
        return forms[:MAX_FORMS].tolist()

    @cached_property
    def by_form(self) -> dict[int, list[PageControl]]:
        """The controls of each form in document order; those of none under `NO_FORM`."""
        owned: dict[int, list[PageControl]] = {}
        for form in self.forms:
            owned[form] = []
        is_control = self.tree.has_tag(CONTROL_TAGS)
        nodes = np.flatnonzero(is_control)[:MAX_CONTROLS].tolist()
        for node, owner in self._owners(nodes):
            control = self._control(node)
            owned.setdefault(owner, []).append(control)
        return owned

    def _owners(self, nodes: list[int]) -> Iterator[tuple[int, int]]:
        """Yield each control with its form: the one it names, the one around it, or an
        open one.

        Where a form begins between the rows of a table, parsers close it at once and
        count what follows to it all the same.
        """
        tree = self.tree
        forms = self.forms
        form_by_id = self._form_by_id()
        enclosing_form = np.full(len(tree), NO_FORM, dtype=np.int64)
        for form in forms:
            enclosing_form[form : tree.end[form]] = form
        forms_with_content = {int(enclosing_form[node]) for node in nodes}

        for node in nodes:
            owner = NO_FORM
            form_id = tree.attributes(node).get("form")
            if form_id in form_by_id:
                owner = form_by_id[form_id]
            elif enclosing_form[node] >= 0:
                owner = int(enclosing_form[node])
            else:
                forms_before = int(np.searchsorted(forms, node))
                last = forms[forms_before - 1] if forms_before else NO_FORM
                is_open = last not in forms_with_content
                owner = last if is_open else NO_FORM
            yield node, owner

    def _form_by_id(self) -> dict[str, int]:
        """Return the first form of each `id`."""
        form_by_id: dict[str, int] = {}
        for form in self.forms:
            identity = self.tree.attributes(form).get("id")
            if identity:
                form_by_id.setdefault(identity, form)
        return form_by_id

    def _control(self, node: int) -> PageControl:
        tree = self.tree
        attributes = tree.attributes(node)
        kind = _control_kind(tree.name(node), attributes)
        label = [self._label(node, attributes)]
        label += [attributes.get(name, "") for name in _DESCRIBING_ATTRIBUTES]
        if kind in BUTTON_KINDS:
            label.append(attributes.get("value", ""))
            label.append(text_below(tree, node))

        is_inactive = bool(self._inactive[node])
        is_disabled = "disabled" in attributes or is_inactive
        return PageControl(
            node=node,
            kind=kind,
            name=attributes.get("name", ""),
            attributes=attributes,
            label=" ".join(label),
            disabled=is_disabled,
        )

    @cached_property
    def _inactive(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """The nodes in a disabled fieldset, or in a list of suggestions."""
        tree = self.tree
        roots = tree.tag == DATALIST
        fieldsets = np.flatnonzero(tree.tag == FIELDSET)
        for node in fieldsets.tolist():
            roots[node] = "disabled" in tree.attributes(node)
        return tree.below(roots)

    @cached_property
    def _label_by_id(self) -> dict[str, str]:
        """The text of labels by the control they name."""
        is_label = self.tree.tag == LABEL
        nodes = np.flatnonzero(is_label)[:MAX_LABELS].tolist()
        targets = self.tree.attribute_values("for", nodes)
        labels: dict[str, str] = {}
        for node, target in zip(nodes, targets, strict=True):
            if target:
                labels[target] = self._label_text(node)
        return labels

    @cached_property
    def _label_texts(self) -> dict[int, str]:
        return {}

    def _label_text(self, node: int) -> str:
        """Return the text of a label, read once for all controls in it."""
        if node not in self._label_texts:
            text = text_below(self.tree, node)
            self._label_texts[node] = text[:LABEL_TEXT]
        return self._label_texts[node]

    def _label(self, node: int, attributes: Mapping[str, str]) -> str:
        """Return the text of the label that names a control, else of one around it."""
        tree = self.tree
        label = ""
        if "id" in attributes:
            label = self._label_by_id.get(attributes["id"], "")

        ancestor = int(tree.parent[node])
        for _ in range(LABEL_LEVELS):
            if label or ancestor <= 0:
                break
            if tree.tag[ancestor] == LABEL:
                label = self._label_text(ancestor)
            ancestor = int(tree.parent[ancestor])
        return label


def _control_kind(tag: str, attributes: Mapping[str, str]) -> str:
    declared = attributes.get("type", "").strip().lower()
    if tag == "input":
        return declared if declared in INPUT_TYPES else "text"
    if tag == "button":
        return declared if declared in ("reset", "button") else "submit"
    return tag


def text_below(tree: Tree, node: int) -> str:
    """Return the text under a node, without that of scripts and of choices."""
    end = int(tree.end[node])
    texts = tree.text[node:end].copy()
    is_skipped = _WITHOUT_LABEL_TEXT.mask(tree.tag[node:end])
    for offset in np.flatnonzero(is_skipped).tolist():
        if offset:
            skipped_end = int(tree.end[node + offset])
            texts[offset : skipped_end - node] = ""
    words = " ".join(texts.tolist()).split()
    return " ".join(words)


def default_values(tree: Tree, control: PageControl) -> Iterator[str]:
    """Yield what a control sends if nobody touches it."""
    attributes = control.attributes
    if control.kind in ("checkbox", "radio"):
        if "checked" in attributes:
            yield attributes.get("value", "on")
    elif control.kind == "select":
        yield from _selected_values(tree, control)
    elif control.kind == "textarea":
        yield _whole_text(tree, control.node)
    elif control.kind not in BUTTON_KINDS and control.kind != "file":
        yield attributes.get("value", "")


def _whole_text(tree: Tree, node: int) -> str:
    end = tree.end[node]
    texts = tree.text[node:end].tolist()
    return "".join(texts)


def _selected_values(tree: Tree, control: PageControl) -> Iterator[str]:
    """Yield the options that are selected.

    Where none is, it is the first one that can be, as browsers show it.
    """
    start = control.node
    end = int(tree.end[start])
    is_option = tree.tag[start:end] == OPTION
    options = start + np.flatnonzero(is_option)
    enabled = []
    selected = []
    for option in options.tolist():
        attributes = tree.attributes(option)
        if "disabled" not in attributes:
            enabled.append(option)
        if "selected" in attributes:
            selected.append(option)
    if "multiple" not in control.attributes:
        selected = selected[-1:] or enabled[:1]

    for option in selected:
        value = tree.attributes(option).get("value")
        if value is None:
            text = _whole_text(tree, option)
            value = " ".join(text.split())
        yield value
