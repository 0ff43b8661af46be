"""Records of single pages, and wrappers that find them again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scythe
from scythe.errors import FetchError, UsageError
from scythe.wrappers.record import RecordsStatus
from tool_shed import TOOLS, no_result_page, page, result_page

SAMPLES = [
    result_page("scythe", TOOLS["scythe"], advertised=[2]),
    result_page("rake", TOOLS["rake"], advertised=[0, 4]),
    result_page("spade", TOOLS["spade"]),
]
UNSEEN = result_page("fork", TOOLS["fork"], advertised=[1, 3])


@pytest.fixture(scope="module")
def wrapper() -> scythe.Wrapper:
    return scythe.learn(SAMPLES, no_result_page("xqzw"), render=False)


def test_the_rows_of_a_result_page() -> None:
    found = scythe.records(
        SAMPLES[2], "https://shed.example/search?q=spade", render=False
    )
    assert found.status is RecordsStatus.OK
    assert [row.text.split("\n")[0] for row in found] == TOOLS["spade"]
    assert found[0].link == "https://shed.example/item/digging-0"
    assert found[0].fields["title"] == "Digging spade"
    assert found[1].fields["price"] == "$27.50"
    assert found.next_page == "https://shed.example/search?q=spade&page=2"
    assert found.method == "tags"


def test_links_are_relative_to_the_base_of_the_page() -> None:
    based = (
        SAMPLES[2]
        .replace("<head>", '<head><base href="/shop/">')
        .replace('href="/item', 'href="item')
    )
    assert (
        scythe.records(based, "https://shed.example/search", render=False)[0].link
        == "https://shed.example/shop/item/digging-0"
    )


def test_records_are_a_sequence_with_columns() -> None:
    found = scythe.records(SAMPLES[0], render=False)
    assert len(found) == len(list(found)) == len(found[:])
    assert {"title", "link", "price"} <= set(found.columns)


def test_a_page_without_a_list_has_no_records() -> None:
    story = "<p>We cut the meadow by hand, early in the morning, when the grass is still wet from the night.</p>"
    found = scythe.records(
        f"<html><body><h1>The meadow</h1>{story}</body></html>", render=False
    )
    assert found.status is RecordsStatus.EMPTY
    assert not found
    assert found.note


@pytest.mark.parametrize(
    "html",
    [
        "",
        b"\x00\xff\xfe",
        "<html>",
        "<table>" * 600,
        "<p>one<p>two",
        "<ul><li><li></ul>",
    ],
)
def test_any_input_has_an_answer(html: str | bytes) -> None:
    assert scythe.records(html, render=False).status in (
        RecordsStatus.EMPTY,
        RecordsStatus.OK,
    )


def test_a_wrapper_reads_a_page_it_has_not_seen(wrapper: scythe.Wrapper) -> None:
    found = wrapper.extract(UNSEEN, "https://shed.example/search")
    assert found.status is RecordsStatus.OK
    assert [row.fields["title"] for row in found] == TOOLS["fork"]
    assert found.method == "wrapper"


def test_a_wrapper_leaves_out_advertisements(wrapper: scythe.Wrapper) -> None:
    assert not any("insurance" in row.text for row in wrapper.extract(UNSEEN))


def test_a_wrapper_comes_back_from_its_file(
    wrapper: scythe.Wrapper, tmp_path: Path
) -> None:
    path = tmp_path / "shed.json"
    wrapper.save(path)
    again = scythe.Wrapper.load(path)
    assert again.extract(UNSEEN) == wrapper.extract(UNSEEN)
    assert again.as_json() == wrapper.as_json()
    assert json.loads(path.read_text())["rule"]["kind"] == "located"


@pytest.mark.parametrize("value", ["NaN", "1e999", '"\\ud83d"', "[[]]", "-1"])
def test_a_file_with_values_that_cannot_be_is_refused(
    wrapper: scythe.Wrapper, tmp_path: Path, value: str
) -> None:
    path = tmp_path / "shed.json"
    values = wrapper.as_json()
    values["expected"]["records"] = ["VALUE", "VALUE"]
    path.write_text(json.dumps(values).replace('"VALUE"', value))
    if value == "-1":  # a number all the same
        assert scythe.Wrapper.load(path).extract(UNSEEN)
        return
    with pytest.raises(UsageError, match=r"shed\.json"):
        scythe.Wrapper.load(path)


def test_the_page_without_results_is_empty(wrapper: scythe.Wrapper) -> None:
    found = wrapper.extract(no_result_page("nothing"))
    assert found.status is RecordsStatus.EMPTY
    assert not found


def test_a_changed_site_is_told_apart_from_no_results(wrapper: scythe.Wrapper) -> None:
    changed = (
        UNSEEN.replace('class="hit"', 'class="card"')
        .replace('class="hits"', 'class="cards"')
        .replace("h3", "h2")
    )
    found = wrapper.extract(changed)
    assert found.status is RecordsStatus.DRIFTED
    assert "learn the wrapper again" in found.note


def test_a_bot_check_is_told_apart_from_no_results(wrapper: scythe.Wrapper) -> None:
    check = "<html><head><title>Just a moment...</title></head><body>Checking your browser before you go on.</body></html>"
    assert wrapper.extract(check).status is RecordsStatus.BLOCKED


def test_the_wrapper_of_the_paper() -> None:
    found = scythe.learn(SAMPLES[2:], render=False, method="vints").extract(
        result_page("fork", TOOLS["fork"])
    )
    assert [row.text.split("\n")[0] for row in found] == TOOLS["fork"]


def test_pages_without_anything_in_common_say_so() -> None:
    with pytest.raises(UsageError, match="No records were found"):
        scythe.learn(
            [page("x", "<p>One</p>"), "<html><body>Two</body></html>"], render=False
        )
    with pytest.raises(UsageError, match="no page to learn from"):
        scythe.learn([])


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        "no json",
        '{"scythe": "wrapper", "version": 99}',
        '{"scythe": "wrapper", "version": 1}',
    ],
)
def test_what_is_no_wrapper_says_so(text: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(UsageError):
        scythe.Wrapper.load(path)


def test_a_missing_wrapper_says_so(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="cannot be read"):
        scythe.Wrapper.load(tmp_path / "none.json")
