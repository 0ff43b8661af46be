"""Which of the forms of a page searches, and which of its fields takes the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scythe.engines.forms.builder import FormPage, build_form
from scythe.engines.forms.controls import NO_FORM, PageControl, PageControls
from scythe.engines.forms.features import field_features, form_features
from scythe.engines.forms.form import SearchForm
from scythe.engines.forms.keywords import QUERY_NAME, SEARCH
from scythe.engines.forms.model import FormModel, default_form_model
from scythe.tree.tags import code
from scythe.tree.tree import Tree

SEARCH_THRESHOLD = 0.35
"""Probability from which a form is taken for a search form: precision and recall are
about the same there in cross-validation on the labelled forms (0.970 and 0.963), and
from 0.3 to 0.4 neither falls below 0.95. It was chosen on these same folds.
"""


@dataclass(frozen=True, eq=False)
class ScoredForm:
    """A form of a page, and how likely it searches."""

    node: int
    """The form element."""
    score: float
    """The probability that it searches."""
    query: PageControl | None
    """The field that takes the query, if it has one."""
    form: SearchForm | None
    """What is sent, where the form can be sent without running the page's scripts."""
    controls: Sequence[PageControl] = field(default=(), repr=False)

    @property
    def is_search(self) -> bool:
        """Whether it is a search form."""
        return self.score >= SEARCH_THRESHOLD

    @property
    def query_name(self) -> str:
        """The name of the field that takes the query."""
        if self.query is None:
            return ""
        return self.query.name


def page_forms(
    tree: Tree, url: str, charset: str | None = None, model: FormModel | None = None
) -> list[ScoredForm]:
    """Return every form of a page in document order.

    `url` is that of the page; `charset` is the one the page is in, where the tree was
    made of text.
    """
    model = model or default_form_model()
    page_charset = charset or tree.encoding or "utf-8"
    page = FormPage(tree, url, page_charset)
    controls = PageControls(tree)
    forms = []
    for form in controls.forms:
        form_controls = controls.by_form[form]
        scored = _scored_form(page, form, form_controls, model)
        forms.append(scored)
    return forms


def _scored_form(
    page: FormPage, node: int, controls: Sequence[PageControl], model: FormModel
) -> ScoredForm:
    features = form_features(page.tree, node, controls)
    probabilities = model.form([features])
    score = float(probabilities[0])
    query = _query_field(controls, model)
    form = None
    if query is not None:
        form = build_form(page, node, controls, query)
    return ScoredForm(node, score, query, form, controls)


def _query_field(
    controls: Sequence[PageControl], model: FormModel
) -> PageControl | None:
    """Return the likeliest field. One without a name is sent nowhere: it comes last."""
    text_fields = [control for control in controls if control.takes_text]
    if not text_fields:
        return None
    probabilities = model.field(field_features(controls))
    has_name = np.array([bool(control.name) for control in text_fields])
    likeliest = int(np.argmax(probabilities + has_name))
    return text_fields[likeliest]


def search_forms(tree: Tree, url: str, charset: str | None = None) -> list[SearchForm]:
    """Return the search forms of a page that can be sent, the likeliest first.

    Of several that send the same there is one.
    """
    candidates = page_forms(tree, url, charset)
    candidates.sort(key=lambda candidate: -candidate.score)
    forms: dict[SearchForm, None] = {}
    for candidate in candidates:
        if candidate.is_search and candidate.form is not None:
            forms.setdefault(candidate.form)
    return list(forms)


def search_form(tree: Tree, url: str, charset: str | None = None) -> SearchForm | None:
    """Return the likeliest search form of a page, None where it has none."""
    forms = search_forms(tree, url, charset)
    return forms[0] if forms else None


def search_boxes(tree: Tree) -> list[PageControl]:
    """Return the fields for a query that no form holds: a script must read them."""
    search_regions = tree.tag == code("search")
    for node, role in tree.with_attribute("role").items():
        roles = role.lower().split()
        search_regions[node] |= "search" in roles
    in_search_region = tree.below(search_regions)

    boxes = []
    outside_forms = PageControls(tree).by_form.get(NO_FORM, [])
    for control in outside_forms:
        if not control.takes_text:
            continue
        is_search_type = control.kind == "search"
        is_marked = is_search_type or in_search_region[control.node]
        if is_marked or _names_search(control):
            boxes.append(control)
    return boxes


def _names_search(control: PageControl) -> bool:
    identity = control.attributes.get("id", "")
    classes = control.attributes.get("class", "")
    words = f"{control.label} {control.name} {identity} {classes}"
    if SEARCH.search(words):
        return True
    return QUERY_NAME.match(control.name) is not None


def has_password(tree: Tree) -> bool:
    """Return whether a page asks for a password."""
    types = tree.with_attribute("type").values()
    return any(value.strip().lower() == "password" for value in types)


def asks_for_login(tree: Tree, url: str) -> bool:
    """Return whether a page is a login, which cannot be searched.

    A page that has a login in a corner beside its search is none.
    """
    return has_password(tree) and search_form(tree, url) is None
