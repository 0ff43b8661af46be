"""The measure of whole structures, on pages with one structure each."""

from pathlib import Path

import pytest
from benchmarks.common import Page
from benchmarks.outputs import PeerOutputs
from benchmarks.structure_scoring import headings, structure_score

TABLE = b"<table><tr><th>Tree<th>Height<tr><td>Oak<td>30 m<tr><td>Yew<td>15 m</table>"
LIST = b"<ul><li>Spade<li>Rake<li>Fork<li>Trowel</ul>"
BEFORE = "The old orchard behind the mill was planted by three sisters in 1911."
AFTER = "Nobody has counted its trees since the flood of the following winter."


def test_table_is_whole_only_with_every_cell() -> None:
    truth = "Tree Height Oak 30 m Yew 15 m"
    whole = structure_score(
        TABLE, truth, "| Tree | Height |\n| - | - |\n| Oak | 30 m |\n| Yew | 15 m |"
    )
    punched = structure_score(TABLE, truth, "Tree Height\nOak 30 m\n15 m")
    assert (whole.total["tables"], whole.whole["tables"]) == (1, 1)
    assert (punched.total["tables"], punched.whole["tables"]) == (1, 0)


def test_list_that_is_not_content_does_not_count() -> None:
    assert structure_score(LIST, "Another text.", "").total["lists"] == 0
    assert (
        structure_score(LIST, "Spade Rake Fork Trowel", "* Spade").share("lists") == 0
    )


def test_heading_stands_over_text_or_a_deeper_heading_with_text() -> None:
    assert list(headings("# A\n\n## B\n\ntext\n\n## C\n")) == [True, True, False]
    assert list(headings("## A\n\n# B\n\n- item\n")) == [False, True]


def test_figure_needs_its_picture_and_its_caption() -> None:
    page = (
        f"<p>{BEFORE}</p><figure><img src='/p/orchard-1911.jpg?w=9'>"
        f"<figcaption>The mill</figcaption></figure><p>{AFTER}"
    ).encode()
    truth = f"{BEFORE} {AFTER}"
    whole = structure_score(page, truth, "![](/p/orchard-1911.jpg)\n\nThe mill")
    without_caption = structure_score(page, truth, "![](/p/orchard-1911.jpg)")
    assert whole.share("figures") == 1
    assert without_caption.total["figures"] == 1
    assert without_caption.share("figures") == 0


def test_outputs_of_a_peer_are_kept_between_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.outputs.RESULTS", tmp_path)
    page = Page("1", b"<p>One", {})
    first = PeerOutputs("numpy", "garden", "txt").output(page, lambda page: "one")
    again = PeerOutputs("numpy", "garden", "txt").output(page, lambda page: "two")
    other_page = Page("1", b"<p>Two", {})
    other = PeerOutputs("numpy", "garden", "txt").output(other_page, lambda page: "two")
    assert (first, again, other) == ("one", "one", "two")
