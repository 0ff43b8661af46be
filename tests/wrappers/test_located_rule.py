"""The rule that says where records stand."""

from __future__ import annotations

import pytest

from scythe.errors import UsageError
from scythe.sections.span import span_texts
from scythe.tree import parse
from scythe.tree.text import visible_text
from scythe.wrappers.rule import MANY_ELEMENTS, ElementSelector, LocatedRule

PAGE = """<body><div id="a"><ul class="list"><li class="x">one</li><li class="x ad">two</li><li class="x"><b>three</b></li></ul>
</div>
<div id="b"><ul><li class="x">four</li></ul><section><li class="x">five<p class="x">six</p></li></section></div>
<dl><dt>A</dt><dd>a</dd><dt>B</dt><dd>b</dd><p>end</p></dl></body>"""


def cut(rule: LocatedRule) -> list[str]:
    tree = parse(PAGE)
    assert LocatedRule.from_json(rule.as_json()) == rule
    return span_texts(tree, rule.cut(tree))


def test_by_container_and_path() -> None:
    assert cut(
        LocatedRule(
            ElementSelector("div", identity="a"), ("ul",), ElementSelector("li")
        )
    ) == [
        "one",
        "two",
        "three",
    ]
    assert cut(
        LocatedRule(
            ElementSelector("ul", classes=("list",)),
            (),
            ElementSelector("li", classes=("x",)),
        )
    ) == ["one", "two", "three"]
    assert cut(
        LocatedRule(
            ElementSelector("html"), ("body", "div", "ul"), ElementSelector("li")
        )
    ) == [
        "one",
        "two",
        "three",
        "four",
    ]


def test_anywhere_below_a_container_but_no_record_in_another() -> None:
    assert cut(
        LocatedRule(
            ElementSelector("div", identity="b"),
            None,
            ElementSelector("*", classes=("x",)),
        )
    ) == [
        "four",
        "five\nsix",
    ]


def test_conditions() -> None:
    assert cut(
        LocatedRule(
            ElementSelector("html"),
            None,
            ElementSelector("li", classes=("x",), without=("ad",)),
        )
    )[:2] == ["one", "three"]
    assert cut(
        LocatedRule(
            ElementSelector("html"),
            None,
            ElementSelector("li"),
            contains=ElementSelector("b"),
        )
    ) == ["three"]
    assert cut(
        LocatedRule(
            ElementSelector("html"),
            None,
            ElementSelector("li"),
            contains=ElementSelector("p", classes=("x",)),
        )
    ) == ["five\nsix"]


def test_runs_end_before_what_no_earlier_run_has() -> None:
    assert cut(
        LocatedRule(ElementSelector("dl"), (), ElementSelector("dt"), runs=True)
    ) == ["A\na", "B\nb"]


def test_a_rule_that_fits_nothing_finds_nothing() -> None:
    assert (
        cut(LocatedRule(ElementSelector("x-grid"), (), ElementSelector("x-row"))) == []
    )
    assert (
        cut(
            LocatedRule(
                ElementSelector("div", identity="none"),
                None,
                ElementSelector("li"),
                contains=ElementSelector("b"),
            )
        )
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
        LocatedRule.from_json(values)


def test_classes_of_many_elements_are_looked_up_as_those_of_few() -> None:
    rule = LocatedRule(
        ElementSelector("ul"),
        (),
        ElementSelector("li", None, ("hit",), ("ad",)),
        ElementSelector("b", None, ("x",)),
    )
    kinds = ("hit", "hit ad", "other", "", "big hit")
    items = [
        f"<li class='{kinds[n % 5]}'><b class={'x' if n % 3 else 'y'}>{n}</b>"
        for n in range(MANY_ELEMENTS + 5)
    ]
    few, many = parse(f"<ul>{''.join(items[:20])}"), parse(f"<ul>{''.join(items)}")
    expected = [n for n in range(len(items)) if n % 5 in (0, 4) and n % 3]
    for tree, count in ((few, 20), (many, len(items))):
        texts = [visible_text(tree, span.start) for span in rule.cut(tree)]
        assert texts == [str(n) for n in expected if n < count]
