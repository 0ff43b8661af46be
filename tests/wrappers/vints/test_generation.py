"""From pages to wrappers: what a user of ViNTs gets."""

from hypothesis import given, settings

from markup import pages
from scythe.tree import Tree, parse
from scythe.wrappers.vints import SeparatedRule, find_wrappers, learn_separated_rule
from scythe.wrappers.vints.blocks import Block
from scythe.wrappers.vints.generation import integrate
from scythe.wrappers.vints.lines import Box, ContentLine, LineType
from scythe.wrappers.vints.selection import group_weights

MENU = (
    "<ul>"
    + "".join(f"<li><a href=/m{number}>Menu {number}</a></li>" for number in range(6))
    + "</ul>"
)


def result(word: str, number: int) -> str:
    return f"<div><h3><a href=/{number}>About {word} {number}</a></h3><p>Some words on {word}, many of them.</p></div>"


def page(word: str, count: int, notice: str = "") -> Tree:
    results = "".join(result(word, number) for number in range(count))
    return parse(
        f"<body>{MENU}{notice}<main><h1>Results for {word}</h1>{results}<p>Page 1 of 3</p></main>"
    )


def texts(tree: Tree, rule: SeparatedRule) -> list[str]:
    return [
        " ".join("".join(tree.text[start:stop].tolist()).split())
        for start, stop in rule.cut(tree)
    ]


def test_the_results_come_before_the_menu() -> None:
    tree = page("bees", 8)
    best, *others = find_wrappers(tree)
    assert texts(tree, best.rule)[0] == "About bees 0Some words on bees, many of them."
    assert best.spans == best.rule.cut(tree)
    assert len(best.spans) == 8
    assert others
    assert best.weight >= others[0].weight


def test_a_wrapper_of_sample_pages_fits_other_pages() -> None:
    rule = learn_separated_rule(
        [
            page("bees", 8),
            page("ants", 5, "<p>Did you mean aunts?</p>"),
            page("wasps", 9),
        ]
    )
    assert rule is not None
    unseen = page("bugs", 11, "<p>Sponsored</p>")
    assert texts(unseen, rule) == [
        f"About bugs {number}Some words on bugs, many of them." for number in range(11)
    ]


def test_lines_of_the_no_result_page_give_no_wrapper() -> None:
    empty = parse(f"<body>{MENU}<main><h1>Nothing found</h1></main>")
    assert all(
        "Menu" not in text
        for found in find_wrappers(page("bees", 8), empty)
        for text in texts(page("bees", 8), found.rule)
    )


def test_pages_without_records() -> None:
    assert find_wrappers(parse("")) == []
    assert find_wrappers(parse("<p>One paragraph.</p>")) == []
    assert learn_separated_rule([]) is None
    assert learn_separated_rule([parse("<p>One paragraph.</p>")]) is None


def test_min_and_max_leave_out_what_is_not_alike() -> None:
    heading = "<div>Results for bees</div>"
    pager = (
        "<div>"
        + "".join(f"<a href=/p{number}>{number}</a><br>" for number in range(12))
        + "</div>"
    )
    tree = parse(
        f"<body><div>{heading}{''.join(result('bees', number) for number in range(8))}{pager}</div>"
    )
    lists = [
        found.rule
        for found in find_wrappers(tree)
        if str(found.rule).endswith("(X(<div>S))[2,9]")
    ]
    assert [len(rule.cut(tree)) for rule in lists] == [8]


def test_integration_takes_the_wrapper_most_pages_have() -> None:
    def rule(prefix: str, least: int, most: int | None, *tags: str) -> SeparatedRule:
        separators = [{"forest": [tag], "depth": 0} for tag in tags]
        return SeparatedRule.from_json(
            {"prefix": prefix, "separators": separators, "min": least, "max": most}
        )

    other = rule("<html>C<body>C<ul>C", 0, None, "li")
    first = rule("<html>C<head>S<body>C<p>S<div>C", 2, 8, "p")
    second = rule("<html>C<head>S<body>C<div>C", 1, 9, "p", "blockquote")
    (most,) = integrate([other, first, second])
    assert most.rule == rule("<html>C<body>C<div>C", 1, 9, "p", "blockquote")
    assert most.support == 2
    assert [wrapper.rule for wrapper in integrate([other, first.compact()])] == [
        other,
        first.compact(),
    ]
    assert integrate([]) == []


def test_prefixes_of_one_sub_tree_are_integrated() -> None:
    def rule(prefix: str) -> SeparatedRule:
        separators = [{"forest": ["div"], "depth": 0}]
        return SeparatedRule.from_json(
            {"prefix": prefix, "separators": separators, "min": 0, "max": None}
        )

    one = rule("<html>C<body>C<main>C<div>S")
    two = rule("<html>C<body>C<main>C<div>S<div>S")
    elsewhere = rule("<html>C<body>C<main>S<main>C<div>S")
    (most,) = integrate([two, elsewhere, one])
    assert most.rule == one
    assert most.support == 2


def test_one_odd_record_does_not_end_the_list() -> None:
    odd = "<div><p>No link here.</p></div>"
    results = [result("bees", number) for number in range(8)]
    tree = parse(f"<body><main>{''.join([*results[:6], odd, *results[6:]])}</main>")
    best, *_ = find_wrappers(tree)
    assert len(best.spans) == 9

    ending = parse(f"<body><main>{''.join(results)}{odd * 3}</main>")
    best, *_ = find_wrappers(ending)
    assert len(best.spans) == 8


def test_links_and_single_long_records_weigh_little_without_boxes() -> None:
    def block(type_: LineType, length: int) -> Block:
        return Block([ContentLine(type_, 0, 0, "x" * length)])

    menu = [block(LineType.LINK, 60) for _ in range(4)]
    results = [block(LineType.TEXT, 20) for _ in range(4)]
    parts = [block(LineType.TEXT, length) for length in (5, 500, 5, 5)]
    of_menu, of_results, of_parts = group_weights([menu, results, parts], None)
    assert (of_menu.raw, of_results.raw) == (0, 1)
    assert of_parts.raw < of_results.raw


def test_weights_are_relative_to_the_best_group() -> None:
    def block(left: float, top: float, text: str) -> Block:
        return Block(
            [
                ContentLine(
                    LineType.TEXT,
                    round(left),
                    0,
                    text,
                    Box(left, top, left + 100, top + 20),
                )
            ]
        )

    middle = [block(350, 250, "x" * 40), block(350, 330, "x" * 40)]
    corner = [
        block(0, 0, "x" * 10),
        block(0, 30, "x" * 10),
        block(0, 60, "x" * 10),
        block(0, 90, "x" * 10),
    ]
    main, side = group_weights([middle, corner], Box(0, 0, 800, 600))
    assert (main.nrw, side.nrw) == (0.5, 1)
    assert (main.acnw, side.acnw) == (1, 0.25)
    assert main.cdw == 1 > side.cdw
    assert side.raw == 1 > main.raw


@settings(max_examples=60)
@given(pages)
def test_any_page_gives_records_that_are_whole_and_in_order(html: str) -> None:
    tree = parse(html * 3)
    for found in find_wrappers(tree):
        assert found.spans == found.rule.cut(tree)
        end = 0
        for start, stop in found.spans:
            assert end <= start < stop <= len(tree)
            end = stop


def test_a_page_of_the_same_element_has_bounded_work() -> None:
    tree = parse("<body>" + "<div><a href=/>a link</a> text</div>" * 5_000)
    assert len(find_wrappers(tree)[0].spans) == 5_000
