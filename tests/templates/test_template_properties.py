"""What holds for templates of any pages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markup import pages as odd_markup
from odd_pages import ODD_PAGES
from recipe_pages import recipe_page
from scythe.templates.matching.page_view import PageView
from scythe.templates.template.slots import Interest
from scythe.templates.template.template import Template, view_page

labels = st.lists(
    st.sampled_from(["Prep", "Serves", "Cook", "Origin", "Level"]),
    unique=True,
    min_size=1,
    max_size=5,
)
rows = labels.flatmap(
    lambda names: st.fixed_dictionaries(
        {name: st.sampled_from(["1", "22 min", "Ann", "high"]) for name in names}
    )
)
extras = st.sampled_from(
    [
        "",
        "<p>Just words</p>",
        "<div class=ad><b>Ad</b></div>",
        "<p class=tip>A</p><p class=tip>B</p>",
    ]
)
recipes = st.builds(
    lambda number, rows, extra: recipe_page(number, rows=rows, extra=extra),
    st.integers(0, 9),
    rows,
    extras,
)
sets = st.lists(recipes, min_size=1, max_size=6)


def said(view: PageView) -> list[str]:
    return sorted(view.texts[at] for at in view.text_nodes)


@given(sets)
@settings(max_examples=60)
def test_a_page_that_comes_again_changes_nothing(pages: list[str]) -> None:
    template = Template.induce(pages)
    before = json.dumps(template.as_json())
    for page in pages:
        assert not template.update(page).changed
    assert json.dumps(template.as_json()) == before


@given(sets)
@settings(max_examples=60)
def test_of_pages_that_a_template_was_grown_from_nothing_is_lost(
    pages: list[str],
) -> None:
    template = Template.induce(pages)
    around = {slot.id: (slot.prefix, slot.suffix) for slot in template.all_slots}
    for page in pages:
        view, _ = view_page(page)
        read = template.read(view, Interest.ALL)
        assert not read.unmatched
        texts = [
            f"{around[slot][0]}{value}{around[slot][1]}"
            for slot, values in read.items()
            for value, node in zip(values, read.nodes[slot], strict=True)
            if view.tree.text[node]
        ]
        assert sorted(texts) == said(view)


@given(sets, recipes)
@settings(max_examples=40)
def test_saving_and_loading_changes_nothing(pages: list[str], later: str) -> None:
    template = Template.induce(pages)
    loaded = Template.from_json(json.loads(template.as_text()))
    assert loaded.as_json() == template.as_json()
    assert dict(loaded.extract(later)) == dict(template.extract(later))
    assert (loaded.update(later), loaded.as_json()) == (
        template.update(later),
        template.as_json(),
    )


@given(sets, st.lists(recipes, min_size=1, max_size=8))
@settings(max_examples=40)
def test_what_was_read_before_changes_nothing(
    pages: list[str], later: list[str]
) -> None:
    template = Template.induce(pages)
    for page in (*later, *later, *pages):
        view, fresh = view_page(page)[0], Template.from_json(template.as_json())
        for interest in (Interest.DATA, Interest.ALL):
            read, afresh = template.read(view, interest), fresh.read(view, interest)
            assert (dict(read), read.nodes, read.unmatched) == (
                dict(afresh),
                afresh.nodes,
                afresh.unmatched,
            )


@given(st.lists(odd_markup, min_size=1, max_size=4))
@settings(max_examples=100)
def test_any_pages_grow_a_template_and_every_text_has_one_place(
    pages: list[str],
) -> None:
    template = Template.induce(pages)
    loaded = Template.from_json(json.loads(template.as_text()))
    for page in pages:
        view, _ = view_page(page)
        for known in (template, loaded):
            read = known.read(view, Interest.ALL)
            placed = [
                node
                for slot, nodes in read.nodes.items()
                for node in nodes
                if view.tree.text[node]
            ]
            assert len(placed) == len(set(placed))
            assert not set(placed) & set(read.unmatched)


@pytest.mark.parametrize("page", ODD_PAGES.values(), ids=ODD_PAGES)
def test_odd_pages_are_read_and_grown_by(page: str) -> None:
    template = Template.induce([recipe_page(0), recipe_page(1), page])
    template.update(page + "<p>more")
    assert template.extract(page).fit <= 1
    assert Template.from_json(template.as_json()).as_json() == template.as_json()


def test_deep_and_long_pages_are_grown_by() -> None:
    deep = "<div>" * 3_000 + "deep" + "</div>" * 3_000
    long = (
        "<ul>"
        + "".join(f"<li class=c{number % 7}>{number}" for number in range(5_000))
        + "</ul>"
    )
    template = Template.induce([deep, long, deep.replace("deep", "deeper")])
    assert (
        Template.from_json(json.loads(template.as_text())).as_json()
        == template.as_json()
    )


def test_the_order_of_pages_changes_no_value_of_regular_ones() -> None:
    pages = [recipe_page(number) for number in range(6)]
    read = []
    for order in (pages, pages[::-1], pages[3:] + pages[:3]):
        template = Template()
        for page in order:
            template.update(page)
        extracted = template.extract(recipe_page(8))
        read.append(sorted(map(tuple, extracted.values())))
    assert read[0] == read[1] == read[2]
