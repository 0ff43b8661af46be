"""Annotation in the web app: everything by plain forms, nothing lost between two
operators, nothing of a page reaches ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest

from read_pages import HOME, add_pages, read_collection, recipe_page
from scythe.collect.catalogue import Collections
from scythe.collect.context import RunContext
from scythe.collect.fields.annotations import (
    AnnotationAction,
    AnnotationChange,
    records_are_current,
    store_change,
)
from scythe.store import Store
from scythe.store.collections.bodies import StyleRows
from scythe.store.collections.runs import NewNotice
from scythe.tree.parse import parse
from scythe.web.annotate.annotation_view import require_view
from scythe.web.annotate.fields import FieldState
from scythe.web.annotate.pane import cluster_names, shown_fields
from scythe.web.server import record_updates
from visitor import Visitor, words_of

INGREDIENTS, DIRECTIONS = "section:ingredients", "section:directions"
AT = "/collections/oats/annotate"


@pytest.fixture
def work(store: Store) -> RunContext:
    return read_collection(store)


@pytest.fixture
def visitor(store: Store, work: RunContext) -> Iterator[Visitor]:
    with Visitor(store) as visitor:
        yield visitor


def shown(visitor: Visitor, path: str = AT) -> str:
    """A page that must be there."""
    answer = visitor.get(path)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def fields(work: RunContext) -> dict[str, Any]:
    record = next(iter(work.records.all()))
    return dict(record.fields or record.pending or {})


def test_the_page_shows_attributes_with_support_examples_and_proposals(
    visitor: Visitor,
) -> None:
    words = words_of(shown(visitor))
    assert "12 of 12" in words
    assert "1 g oats" in words
    assert "Use as ingredients" in words
    assert "the heading above it" in words
    assert "Page 1 of 12" in words


def test_a_name_is_given_and_records_follow(visitor: Visitor, work: RunContext) -> None:
    page = visitor.send(
        AT,
        what="name",
        slot=INGREDIENTS,
        name="Shopping list",
        type="lines",
        version="0",
    )
    assert page.status_code == 200
    assert "shopping_list" in page.text
    assert fields(work)["shopping_list"] == ["1 g oats", "2 ml milk"]


def test_a_proposal_is_taken_by_one_click_and_all_by_another(
    visitor: Visitor, work: RunContext
) -> None:
    visitor.send(AT, what="use_suggestion", slot=INGREDIENTS, version="0")
    assert work.slot_fields == {INGREDIENTS: ["ingredients", ""]}
    visitor.send(f"{AT}/accept", version="1", cluster="1")
    assert {"title", "instructions", "ingredients"} <= {
        said[0] for said in work.slot_fields.values()
    }
    assert fields(work)["title"] == "Soup no. 1"


def test_suggested_values_are_those_that_accepting_gives(
    visitor: Visitor, work: RunContext, store: Store
) -> None:
    view = require_view(Collections(store).get("oats"))
    record = next(iter(work.records.all()))
    suggested = {
        field.name: field.value
        for field in shown_fields(view, record.page_id or 0)
        if field.state == FieldState.SUGGESTED
    }
    assert {"title", "ingredients", "instructions"} <= set(suggested)
    visitor.send(f"{AT}/accept", version="0", cluster="1")
    accepted = fields(work)
    for name in ("title", "ingredients", "instructions"):
        assert suggested[name] == accepted[name]


def test_attributes_are_merged_split_ignored_and_noticed_again(
    visitor: Visitor, work: RunContext
) -> None:
    visitor.send(
        AT,
        what="name",
        slot=[INGREDIENTS, DIRECTIONS],
        name="all",
        type="lines",
        version="0",
    )
    assert len(fields(work)["all"]) == 4
    assert "merged from 2 places" in words_of(shown(visitor))
    visitor.send(AT, what="split", slot=DIRECTIONS, version="1")
    assert len(fields(work)["all"]) == 2
    visitor.send(AT, what="ignore", slot=DIRECTIONS, version="2")
    assert work.annotations.latest().ignored == [DIRECTIONS]
    assert "Ignored" in words_of(shown(visitor))
    visitor.send(AT, what="notice", slot=DIRECTIONS, version="3")
    assert work.annotations.latest().ignored == []


def test_a_preview_comes_before_saving_as_a_page_or_a_piece(
    visitor: Visitor, work: RunContext
) -> None:
    page = visitor.send(
        f"{AT}/preview", what="name", slot=INGREDIENTS, name="ingredients", version="0"
    )
    words = words_of(page.text)
    assert "12 of 12 records would change" in words
    assert "in 0 → 12" in words
    assert 'name="what" value="name"' in page.text
    assert not work.slot_fields


def test_fields_come_first_and_the_rest_is_under_unused_data(
    visitor: Visitor, work: RunContext
) -> None:
    page = shown(visitor)
    assert re.search(r'class="field suggested[^>]*>.*?ingredients', page, re.DOTALL)
    assert "Not found yet" in page
    assert 'class="line ' not in page
    opened = shown(visitor, f"{AT}?unused=1")
    assert opened.count('class="line ') >= 2
    found = visitor.piece(f"{AT}/unused?unused=1&find=bob").text
    assert "Ann of soup" in found
    assert found.count('class="line ') == 1
    assert "Nothing has" in visitor.piece(f"{AT}/unused?find=nowhere").text


def test_a_field_is_given_to_another_slot_by_one_click(
    visitor: Visitor, work: RunContext
) -> None:
    visitor.send(AT, what="name", slot=DIRECTIONS, name="ingredients", version="0")
    visitor.send(AT, what="replace", slot=INGREDIENTS, name="ingredients", version="1")
    assert work.slot_fields == {INGREDIENTS: ["ingredients", ""]}


def test_saving_says_how_many_records_changed_and_keeps_the_page(
    visitor: Visitor, work: RunContext
) -> None:
    number = work.pages.all()[3].id
    sent = {"what": "name", "slot": INGREDIENTS, "name": "ingredients"}
    answer = visitor.send(AT, **sent, version="0", page=str(number))
    words = words_of(answer.text)
    assert "12 records changed" in words
    assert "Page 4 of 12" in words
    undone = visitor.send(f"{AT}/undo", version="1", page=str(number))
    assert "12 records changed" not in words_of(undone.text)


def test_a_part_without_a_box_says_why(visitor: Visitor) -> None:
    def why(text: str) -> str:
        return str(visitor.get(f"{AT}/explain?text={text}").json()["message"])

    assert "same on every page" in why("All rights reserved")
    assert "Only this page" in why("Porridge no. 10")
    assert "no text" in why("")


def test_undo_and_redo_are_buttons(visitor: Visitor, work: RunContext) -> None:
    visitor.send(AT, what="use_suggestion", slot=INGREDIENTS, version="0")
    assert 'value="undo"' in shown(visitor)
    visitor.send(f"{AT}/undo", what="undo", version="1")
    assert not work.slot_fields
    assert "ingredients" not in fields(work)
    page = shown(visitor)
    assert 'value="redo"' in page
    assert 'value="undo"' not in page
    visitor.send(f"{AT}/undo", what="redo", version="2")
    assert INGREDIENTS in work.slot_fields


def test_two_operators_never_lose_a_change(visitor: Visitor, work: RunContext) -> None:
    visitor.send(
        AT, what="name", slot=INGREDIENTS, name="first", type="lines", version="0"
    )
    late = visitor.send(
        AT, what="name", slot=INGREDIENTS, name="second", type="text", version="0"
    )
    assert late.status_code == 409
    assert "is first (lines)" in words_of(late.text)
    assert re.search(r'name="name" value="second"', late.text)
    assert re.search(r'name="version" value="1"', late.text)
    assert work.slot_fields[INGREDIENTS] == ["first", "lines"]
    assert visitor.send(f"{AT}/undo", what="undo", version="0").status_code == 409
    assert visitor.send(f"{AT}/accept", version="0").status_code == 409


def test_what_is_wrong_is_said(visitor: Visitor, work: RunContext) -> None:
    wrong: list[dict[str, Any]] = [
        {"what": "name", "slot": INGREDIENTS, "name": "record_id"},
        {"what": "name", "slot": INGREDIENTS, "name": ""},
        {"what": "name", "slot": "section:nowhere", "name": "a"},
        {"what": "name", "slot": INGREDIENTS, "name": "a", "type": "colour"},
        {"what": "shout", "slot": INGREDIENTS},
        {"what": "use_suggestion"},
    ]
    for sent in wrong:
        assert visitor.send(AT, version="0", **sent).status_code == 400
    assert visitor.get(f"{AT}?cluster=77").status_code == 404
    assert visitor.get(f"{AT}?cluster={10**30}&page=x&slot=<b>").status_code == 200
    assert visitor.get("/collections/nothing/annotate").status_code == 404
    assert not work.slot_fields


def test_the_form_of_an_attribute_is_a_piece_for_scripts_and_a_page_without(
    visitor: Visitor,
) -> None:
    piece = visitor.piece(f"{AT}/slot?cluster=1&slot={quote(INGREDIENTS)}").text
    assert "<html" not in piece
    assert 'value="ingredients"' in piece
    page = shown(visitor, f"{AT}/slot?cluster=1&slot={quote(INGREDIENTS)}")
    assert "<html" in page
    assert 'class="naming"' in page


def test_the_frame_has_boxes_that_rows_know(visitor: Visitor, work: RunContext) -> None:
    page = work.pages.all()[0].id
    found = visitor.get(
        f"/collections/oats/pages/{page}/frame?slot={quote(INGREDIENTS)}"
    )
    assert "default-src 'none'" in found.headers["content-security-policy"]
    assert "frame-ancestors 'self'" in found.headers["content-security-policy"]
    listed = re.search(
        r'data-numbers="(\d+)"(?:(?!data-numbers).)*?value="section:ingredients"',
        shown(visitor),
        re.DOTALL,
    )
    assert listed
    boxed = re.search(r'<ul class="([^"]*)" data-scythe-slots="([\d ]+)"', found.text)
    assert boxed
    assert listed[1] in boxed[2].split()
    assert "scythe-chosen" in boxed[1]
    assert re.search(
        r'<h1 class="scythe-box scythe-suggested[^"]*"[^>]*data-scythe-label="title\?"',
        found.text,
    )


def test_repeated_values_are_all_marked(visitor: Visitor, work: RunContext) -> None:
    page = work.pages.all()[0].id
    found = visitor.get(f"/collections/oats/pages/{page}/frame").text
    marked = re.findall(
        r'<li class="scythe-box[^"]*" data-scythe-slots="([\d ]+)"', found
    )
    assert len(marked) == 4
    assert marked[0] == marked[1]


def test_saved_style_is_shown_without_a_request(
    visitor: Visitor, work: RunContext
) -> None:
    StyleRows(work.store, work.row.id).store(
        {f"{HOME}s.css": ("h1{color:red;background:url(http://evil.example/x)}", "")}
    )
    page = work.pages.all()[0].id
    found = visitor.get(f"/collections/oats/pages/{page}/frame").text
    assert "h1{color:red;background:none}" in found
    assert "evil.example" not in found


def test_hostile_pages_do_nothing_here(store: Store) -> None:
    evil = (
        '<h2>x"><script>alert(1)</script></h2><p onclick=alert(2)>y<img src=http://evil.example/a onerror=alert(3)></p>'
        "<h2>&lt;img src=x onerror=alert(4)&gt;</h2><p>&lt;script&gt;alert(5)&lt;/script&gt;</p>"
        "<a href='javascript:alert(6)'>{{ 7 * 7 }}</a>"
    )
    work = read_collection(store, pages=0)
    run = work.runs.begin("pages").id
    add_pages(
        work,
        {
            f"{HOME}{number}": recipe_page(number, f"{evil}<p>{number}</p>")
            for number in range(1, 6)
        },
        run,
    )
    slot = next(
        slot
        for slot in work.templates.extracted_in_cluster(1).__next__().slots
        if "onerror" in slot
    )
    with Visitor(store) as visitor:
        store_change(work, AnnotationChange(AnnotationAction.NAME, (slot,), "evil"))
        for path in (
            AT,
            f"{AT}?slot={quote(slot)}",
            f"/collections/oats/pages/{work.pages.all()[0].id}/frame",
        ):
            page = shown(visitor, path)
            assert "<script>alert" not in page
            tree = parse(page)
            assert not [
                name
                for node in range(len(tree))
                for name in tree.attributes(node)
                if name.startswith("on")
            ]
            assert not [
                address
                for address in tree.attribute("href")
                if address and address.startswith("javascript:")
            ]
        preview = visitor.send(
            f"{AT}/preview", what="name", slot=slot, name="title", version="1"
        ).text
        assert "<script>alert" not in preview
        assert "<img src=x" not in preview


def notice_of(work: RunContext, kind: str, **data: Any) -> int:
    """Tell the operator something, and give its number."""
    work.runs.add_notices([NewNotice(f"{kind}/{data}", kind, data)])
    return work.runs.notices()[-1].id


def test_notices_lead_to_both_pages_and_are_put_aside(
    visitor: Visitor, work: RunContext
) -> None:
    run = work.runs.begin("pages").id
    add_pages(
        work,
        {
            f"{HOME}{number}": recipe_page(number, f"<h2>Tips</h2><p>Tip {number}</p>")
            for number in range(20, 23)
        },
        run,
    )
    number = notice_of(
        work,
        "new attribute",
        slot="section:tips",
        message="pages have section:tips now",
        cluster=1,
    )
    assert 'Pages have the section "tips" now' in unescape(shown(visitor))
    page = shown(visitor, f"{AT}/notices/{number}")
    assert "A page without it" in page
    assert "A page that has it" in page
    first, last = work.pages.all()[0].id, work.pages.all()[-1].id
    frames = [
        unescape(address)
        for address in re.findall(r'src="(/collections/oats/pages/[^"]+)"', page)
    ]
    assert [re.findall(r"pages/(\d+)/", address)[0] for address in frames] == [
        str(first),
        str(last),
    ]
    assert "section%3Atips" in frames[1]
    visitor.send(f"{AT}/notices", notice=str(number))
    assert not work.runs.notices()
    assert visitor.get(f"{AT}/notices/{number}").status_code == 404


def test_a_page_that_changed_is_shown_as_it_was_beside_as_it_is(
    visitor: Visitor, work: RunContext
) -> None:
    visitor.send(AT, what="use_suggestion", slot=INGREDIENTS, version="0")
    run = work.runs.begin("pages").id
    add_pages(work, {f"{HOME}3": recipe_page(3, "<h2>Tips</h2><p>Rest it.</p>")}, run)
    number = notice_of(
        work,
        "new attribute",
        slot="section:tips",
        message="pages have section:tips now",
        cluster=1,
    )
    page = shown(visitor, f"{AT}/notices/{number}")
    assert "This page before" in page
    before, now = (
        unescape(address)
        for address in re.findall(r'src="(/collections/oats/pages/[^"]+)"', page)
    )
    assert "Rest it." not in shown(visitor, before)
    assert "Rest it." in shown(visitor, now)


def test_naming_an_attribute_is_an_answer_to_its_notice(
    visitor: Visitor, work: RunContext
) -> None:
    notice_of(work, "new attribute", slot=INGREDIENTS, message="new")
    notice_of(work, "new attribute", slot=DIRECTIONS, message="new")
    visitor.send(AT, what="use_suggestion", slot=INGREDIENTS, version="0")
    assert [notice.data["slot"] for notice in work.runs.notices()] == [DIRECTIONS]


def test_every_kind_of_notice_has_a_page(visitor: Visitor, work: RunContext) -> None:
    kinds = (
        "attribute turned repeatable",
        "attribute vanished",
        "attribute returned",
        "order changed",
        "template split",
    )
    for kind in (*kinds, "templates merged", "page fits nothing", "something else"):
        told = {
            "slot": INGREDIENTS,
            "message": f"{kind} <b>",
            "cluster": 1,
            "examples": [["<i>value</i>", f"{HOME}3"]],
        }
        page = shown(visitor, f"{AT}/notices/{notice_of(work, kind, **told)}")
        assert "<b>" not in page.replace("<body>", "")
        assert "<i>value" not in page
    gone = notice_of(work, "page fits nothing", cluster=99)
    assert "not there any more" in shown(visitor, f"{AT}/notices/{gone}")


def test_a_collection_that_was_never_run_says_so(store: Store) -> None:
    read_collection(store, pages=0)
    with Visitor(store) as visitor:
        assert "Nothing to annotate yet" in shown(visitor)
        assert (
            visitor.send(AT, what="use_suggestion", slot="a", version="0").status_code
            == 400
        )


def test_many_records_follow_in_a_job(
    store: Store, work: RunContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_updates, "MAX_RECORDS_AT_ONCE", -1)
    with Visitor(store) as visitor:
        visitor.send(AT, what="use_suggestion", slot=INGREDIENTS, version="0")
        visitor.app.state.jobs.wait(record_updates.update_key("oats"))
    assert records_are_current(work)
    assert "ingredients" in fields(work)


def test_a_server_that_starts_finishes_what_was_left(
    store: Store, work: RunContext
) -> None:
    store_change(
        work, AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "ingredients")
    )
    with Visitor(store) as visitor:
        visitor.app.state.jobs.wait(record_updates.update_key("oats"))
    assert records_are_current(work)
    assert "ingredients" in fields(work)


def test_programs_annotate_by_the_api(visitor: Visitor, work: RunContext) -> None:
    at = "/api/collections/oats/annotations"
    found = visitor.api("GET", at).json()
    assert (found["total"], found["annotations"]["version"]) == (12, 0)
    asked = {
        "what": "name",
        "slots": [INGREDIENTS],
        "name": "ingredients",
        "version": 0,
    }
    seen = visitor.api("POST", f"{at}/preview", asked).json()
    assert seen["fields"]["ingredients"] == [0, 12]
    said = visitor.api("POST", at, asked).json()
    assert said["names"] == {INGREDIENTS: ["ingredients", ""]}
    assert said["finished"]
    assert visitor.api("POST", at, asked).status_code == 409
    assert visitor.api("POST", at, {"what": "accept"}).json()["version"] == 2
    assert visitor.api("POST", f"{at}/undo", {}).json()["names"] == {
        INGREDIENTS: ["ingredients", ""]
    }
    assert visitor.api("POST", f"{at}/redo", {"version": 3}).json()["version"] == 4
    assert [
        row["version"] for row in visitor.api("GET", f"{at}/history?limit=2").json()
    ] == [4, 3]
    assert (
        visitor.api(
            "POST", at, {"what": "name", "slots": ["1:nowhere"], "name": "a"}
        ).status_code
        == 400
    )
    assert visitor.api("POST", at, {"slots": 7}).status_code == 400


def test_kinds_of_pages_are_called_after_their_folder_or_one_of_them(
    store: Store, work: RunContext
) -> None:
    run = work.runs.begin("pages").id
    guides = {f"{HOME}guides/{n}.html": recipe_page(n) for n in (1, 2)}
    add_pages(work, guides, run, cluster=2)
    add_pages(work, {f"{HOME}about_us.html": recipe_page(3)}, run, cluster=3)
    names = cluster_names(require_view(Collections(store).get("oats")))
    assert names == {1: "recipe pages", 2: "guides pages", 3: "pages like “about us”"}
