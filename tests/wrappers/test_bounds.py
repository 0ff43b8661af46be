"""Work on pages of very many like or unlike elements is bounded: counted, not timed."""

from __future__ import annotations

import numpy as np
import pytest

import scythe
from scythe.sections import model, shapes
from scythe.sections.fields import growth
from scythe.sections.runs import sibling_runs
from scythe.sections.shapes import shape_table
from scythe.wrappers import induction

ROW = "<li><h3><a href=/{n}>The tool number {n}</a></h3><p>Some words on tool {n}.</p></li>"


def list_page(number: int) -> str:
    items = "".join(ROW.format(n=n) for n in range(number))
    return f"<h1>Tools</h1><ul id=tools>{items}</ul>"


def test_shapes_share_columns_where_a_table_would_be_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shapes, "MAX_TABLE_CELLS", 500)
    starts = np.arange(100)
    table = shape_table(np.arange(1, 101, dtype=np.int32), starts, starts + 1)
    assert table.size <= 500
    assert table.any(axis=1).all()


def test_records_behind_the_last_that_is_judged_are_taken_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model, "MAX_JUDGED", 10)
    assert len(scythe.records(list_page(30), render=False)) == 30


def test_rules_are_tried_on_so_many_records_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(induction, "MAX_CUT_RECORDS", 100)
    tried = []
    score = induction._Induction._computed_score

    def counted(self: object, rule: object) -> float:
        tried.append(rule)
        return score(self, rule)  # type: ignore[arg-type]

    monkeypatch.setattr(induction._Induction, "_computed_score", counted)
    wrapper = scythe.learn([list_page(60)], render=False)
    assert len(wrapper.extract(list_page(40))) == 40
    assert len(tried) <= 4


def test_of_huge_pages_one_is_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scythe.wrappers.learn.HUGE_PAGE", 100)
    without_records = "<p>Words</p>" * 60
    pages = [list_page(30), without_records, without_records, list_page(3)]
    assert len(scythe.learn(pages, render=False).extract(list_page(20))) == 20


def test_contents_of_records_are_compared_up_to_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(induction, "MAX_COMPARED_NODES", 0)
    wrapper = scythe.learn([list_page(30)], render=False)
    assert len(wrapper.extract(list_page(20))) == 20


def test_records_that_are_all_different_have_bounded_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(growth, "MAX_POSITIONS", 2)
    found = scythe.records(list_page(30), render=False)
    assert len(found) == 30
    assert "The tool number 3" in found[3].text


def test_the_last_run_ends_before_a_tag_that_no_earlier_one_has() -> None:
    html = "<div>" + "<h2>a</h2><p>b</p>x" * 3 + "<ul><li>c</ul><p>d</p></div>"
    tree = scythe.parse(html)
    heads = [node for node in range(len(tree)) if tree.name(node) == "h2"]
    ends = [span.stop for span in sibling_runs(tree, heads)]
    assert tree.name(ends[-1]) == "ul"
    assert ends[:2] == heads[1:]
