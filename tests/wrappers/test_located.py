"""The rule that says where records stand."""

from __future__ import annotations

import pytest

from scythe.errors import UsageError
from scythe.tree import parse
from scythe.wrappers.located import Located, Step
from scythe.wrappers.reading import texts_of

PAGE = """<body><div id="a"><ul class="list"><li class="x">one</li><li class="x ad">two</li><li class="x"><b>three</b></li></ul>
</div>
<div id="b"><ul><li class="x">four</li></ul><section><li class="x">five<p class="x">six</p></li></section></div>
<dl><dt>A</dt><dd>a</dd><dt>B</dt><dd>b</dd><p>end</p></dl></body>"""


def cut(rule: Located) -> list[str]:
    tree = parse(PAGE)
    assert Located.from_json(rule.as_json()) == rule
    return texts_of(tree, rule.cut(tree))


def test_by_container_and_path() -> None:
    assert cut(Located(Step("div", identity="a"), ("ul",), Step("li"))) == [
        "one",
        "two",
        "three",
    ]
    assert cut(
        Located(Step("ul", classes=("list",)), (), Step("li", classes=("x",)))
    ) == ["one", "two", "three"]
    assert cut(Located(Step("html"), ("body", "div", "ul"), Step("li"))) == [
        "one",
        "two",
        "three",
        "four",
    ]


def test_anywhere_below_a_container_but_no_record_in_another() -> None:
    assert cut(Located(Step("div", identity="b"), None, Step("*", classes=("x",)))) == [
        "four",
        "five\nsix",
    ]


def test_conditions() -> None:
    assert cut(
        Located(Step("html"), None, Step("li", classes=("x",), without=("ad",)))
    )[:2] == ["one", "three"]
    assert cut(Located(Step("html"), None, Step("li"), contains=Step("b"))) == ["three"]
    assert cut(
        Located(Step("html"), None, Step("li"), contains=Step("p", classes=("x",)))
    ) == ["five\nsix"]


def test_runs_end_before_what_no_earlier_run_has() -> None:
    assert cut(Located(Step("dl"), (), Step("dt"), runs=True)) == ["A\na", "B\nb"]


def test_a_rule_that_fits_nothing_finds_nothing() -> None:
    assert cut(Located(Step("x-grid"), (), Step("x-row"))) == []
    assert (
        cut(Located(Step("div", identity="none"), None, Step("li"), contains=Step("b")))
        == []
    )


@pytest.mark.parametrize(
    "values",
    [
        {},
        {
            "container": None,
            "path": None,
            "record": {},
            "contains": None,
            "runs": False,
        },
    ],
)
def test_a_damaged_rule_says_so(values: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="learn the wrapper again"):
        Located.from_json(values)
