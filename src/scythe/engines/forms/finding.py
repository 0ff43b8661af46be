"""Which of the forms of a page searches, and which of its fields takes the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scythe.engines.forms.building import FormPage, build_form
from scythe.engines.forms.controls import Controls, Item
from scythe.engines.forms.form import Form
from scythe.engines.forms.model import Model, default_model
from scythe.engines.forms.traits import field_traits, form_traits
from scythe.engines.forms.words import QUERY_NAME, SEARCH
from scythe.tree.tags import code
from scythe.tree.tree import Tree

SEARCHES = 0.35
"""Probability from which a form is taken for a search form: precision and recall are
about the same there in cross-validation on the labelled forms (0.970 and 0.963), and
from 0.3 to 0.4 neither falls below 0.95. It was chosen on these same folds.
"""


@dataclass(frozen=True, eq=False)
class FoundForm:
    """A form of a page."""

    node: int
    """The form element, or the field itself where a search box has no form around it."""
    score: float
    """The probability that it searches."""
    query: Item | None
    """The field that takes the query, if it has one."""
    form: Form | None
    """What is sent, where the form can be sent without running the page's scripts."""
    items: Sequence[Item] = field(default=(), repr=False)

    @property
    def searches(self) -> bool:
        """Whether it is a search form."""
        return self.score >= SEARCHES

    @property
    def query_name(self) -> str:
        """The name of the field that takes the query."""
        return self.query.name if self.query is not None else ""


def forms_of(
    tree: Tree, url: str, charset: str | None = None, model: Model | None = None
) -> list[FoundForm]:
    """Every form of a page in document order.

    `url` is that of the page; `charset` is the one the page is in, where the tree was
    made of text.
    """
    controls, model = Controls(tree), model or default_model()
    page = FormPage(tree, url, charset or tree.encoding or "utf-8")
    return [
        _found(page, form, controls.by_form[form], model) for form in controls.forms
    ]


def search_forms(tree: Tree, url: str, charset: str | None = None) -> list[Form]:
    """The search forms of a page that can be sent, the likeliest first, alike ones
    once.
    """
    found = [
        one
        for one in forms_of(tree, url, charset)
        if one.searches and one.form is not None
    ]
    return list(
        dict.fromkeys(
            [
                one.form
                for one in sorted(found, key=lambda one: -one.score)
                if one.form is not None
            ]
        )
    )


def search_form(tree: Tree, url: str, charset: str | None = None) -> Form | None:
    """The search form of a page."""
    return next(iter(search_forms(tree, url, charset)), None)


def search_boxes(tree: Tree) -> list[Item]:
    """Fields for a query that no form holds, so that a script must read them."""
    marked = tree.tag == code("search")
    for node, role in tree.with_attribute("role").items():
        marked[node] |= "search" in role.lower().split()
    inside = tree.below(marked)
    loose = [item for item in Controls(tree).by_form.get(-1, []) if item.takes_words]
    return [
        item
        for item in loose
        if item.kind == "search" or inside[item.node] or _says_search(item)
    ]


def has_password(tree: Tree) -> bool:
    """Whether a page asks for a password."""
    return any(
        value.strip().lower() == "password"
        for value in tree.with_attribute("type").values()
    )


def asks_for_login(tree: Tree, url: str) -> bool:
    """Whether a page is a login rather than a page that has one in a corner: it cannot
    be searched.
    """
    return has_password(tree) and search_form(tree, url) is None


def _says_search(item: Item) -> bool:
    names = [item.name, item.attributes.get("id", ""), item.attributes.get("class", "")]
    return bool(
        SEARCH.search(" ".join([item.label, *names])) or QUERY_NAME.match(item.name)
    )


def _found(page: FormPage, form: int, items: Sequence[Item], model: Model) -> FoundForm:
    score = float(model.form([form_traits(page.tree, form, items)])[0])
    query = _query(items, model)
    return FoundForm(
        form,
        score,
        query,
        None if query is None else build_form(page, form, items, query),
        items,
    )


def _query(items: Sequence[Item], model: Model) -> Item | None:
    """The likeliest field. One without a name is sent nowhere, so it comes last."""
    typed = [item for item in items if item.takes_words]
    if not typed:
        return None
    scores = model.field(field_traits(items)) + np.array(
        [bool(item.name) for item in typed]
    )
    return typed[int(np.argmax(scores))]
