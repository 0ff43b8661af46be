"""Wrappers for other programs: what they find is what the wrapper finds."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import lxml.html
import pytest
from lxml import etree

from engine_pages import result_page, row_page, separated_page
from scythe.errors import UsageError
from scythe.sections.fields import learn_fields
from scythe.tree import Tree, parse
from scythe.tree.paths import PathNode
from scythe.wrappers.export import scrapy_spider, searxng, xpath
from scythe.wrappers.export.record_paths import head_path, literal
from scythe.wrappers.export.spider_runtime import paging, values
from scythe.wrappers.export.spider_runtime import records as cutting
from scythe.wrappers.export.xpath import field_paths
from scythe.wrappers.rule import ElementSelector, LocatedRule, Rule
from scythe.wrappers.vints.rule import SeparatedRule, Separator
from scythe.wrappers.wrapper import Expectation, Wrapper

HITS = LocatedRule(
    ElementSelector("ol", "results"), (), ElementSelector("li", None, ("hit",))
)
ROWS = LocatedRule(
    ElementSelector("table", "results"),
    ("tbody",),
    ElementSelector("tr", None, ("head",)),
    runs=True,
)
RULED = SeparatedRule(
    tuple([PathNode(tag, "C") for tag in ("html", "body", "main", "div")]),
    (Separator(("hr",)),),
)


def wrapper_of(rule: Rule, *pages: str) -> Wrapper:
    trees = [parse(page) for page in pages]
    return Wrapper(
        rule,
        learn_fields([(tree, rule.cut(tree)) for tree in trees]),
        Expectation((10, 10), 0.5, linked=True),
    )


def fields_of(wrapper: Wrapper) -> list[tuple[str, str, str, bool]]:
    return [
        (field.name, field.path, field.kind, field.many)
        for field in field_paths(wrapper.fields)
    ]


def paths(wrapper: Wrapper) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in xpath(wrapper).splitlines())


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_xpath_finds_the_records_and_fields_of_an_unseen_page() -> None:
    wrapper = wrapper_of(HITS, result_page(0), result_page(1))
    unseen, found = (
        lxml.html.document_fromstring(result_page(2)),
        wrapper.extract(result_page(2)),
    )
    names = paths(wrapper)
    records = unseen.xpath(names.pop("record"))
    assert len(records) == len(found) == 10
    for record, row in zip(records, found, strict=True):
        for name, value in row.fields.items():
            first = record.xpath(names[name])[0]
            assert (
                first if isinstance(first, str) else first.text_content()
            ).strip() == value
    assert {"title", "link", "snippet", "date", "price"} <= set(names)


@pytest.mark.parametrize(
    ("rule", "page"),
    [
        (
            LocatedRule(
                ElementSelector("table", "t"), ("tbody",), ElementSelector("tr")
            ),
            "<table id=t><tr><td>a<td>b<tr><td>c</table>",
        ),
        (
            LocatedRule(ElementSelector("tbody"), (), ElementSelector("tr")),
            "<table><tr><td>a<table><tr><td>inner</table><tr><td>b</table>",
        ),
        (
            LocatedRule(ElementSelector("tbody"), ("tr",), ElementSelector("td")),
            "<table><thead><tr><td>x</thead><tr><td>a<td>b</table>",
        ),
        (
            LocatedRule(
                ElementSelector("div", None, ("d",)),
                ("table", "tbody", "tr", "td", "table", "tbody"),
                ElementSelector("tr"),
            ),
            "<div class='c d'><table><tr><td><table><tr><td>a<tr><td>b</table></table></div>",
        ),
        (
            LocatedRule(
                ElementSelector("ul", None, ("x",)), None, ElementSelector("li")
            ),
            "<ul class=x><li>a<ul><li>inner</ul><p><li>b</ul><ul><li>c</ul>",
        ),
        (
            LocatedRule(
                ElementSelector("div", None, ("x",)),
                None,
                ElementSelector("div", None, ("r",)),
            ),
            "<div class='x r'>a<div class=r>b</div></div>",
        ),
        (
            LocatedRule(
                ElementSelector("html"),
                None,
                ElementSelector("p", None, ("a", "b"), ("c",)),
            ),
            "<p class='b a'>1<p class='a b c'>2<p class=a>3<p class='ab'>4",
        ),
        (
            LocatedRule(
                ElementSelector("html"),
                ("body",),
                ElementSelector("p"),
                ElementSelector("a"),
            ),
            "<p><a>1</a><p>2<div><p><a>3</a></div>",
        ),
        (
            LocatedRule(ElementSelector("x-list"), (), ElementSelector("x-row")),
            "<x-list><x-row>1</x-row><x-row>2</x-row></x-list>",
        ),
        (
            LocatedRule(ElementSelector("div", 'it\'s "so"'), (), ElementSelector("p")),
            "<div id='it&#39;s \"so\"'><p>1</div><div><p>2</div>",
        ),
        (
            LocatedRule(ElementSelector("html"), None, ElementSelector("g:plus")),
            "<g:plus>1</g:plus>",
        ),
    ],
)
def test_the_xpath_of_a_rule_finds_in_the_tree_of_lxml_what_the_rule_finds(
    rule: LocatedRule, page: str
) -> None:
    tree = parse(page)
    found = [text_under(tree, span.start, span.stop) for span in rule.cut(tree)]
    assert found
    records = lxml.html.document_fromstring(page).xpath(head_path(rule))
    assert ["".join(record.itertext()).strip() for record in records] == found


def text_under(tree: Tree, start: int, stop: int) -> str:
    return "".join(tree.text[start:stop]).strip()


@pytest.mark.parametrize(
    "text", ["plain", "it's", 'say "it"', 'it\'s "so"', "'", '"', "", "'\""]
)
def test_any_string_can_be_written_in_xpath(text: str) -> None:
    assert etree.XPath(f"string({literal(text)})")(etree.Element("a")) == text


@pytest.mark.parametrize(
    ("rule", "page"), [(ROWS, row_page(0)), (RULED, separated_page(0))]
)
def test_records_of_several_elements_are_refused_as_xpath_with_what_to_do(
    rule: Rule, page: str
) -> None:
    with pytest.raises(UsageError, match="scrapy"):
        xpath(wrapper_of(rule, page))


def test_separated_records_are_refused_for_searxng_with_what_to_do() -> None:
    wrapper = wrapper_of(RULED, separated_page(0))
    with pytest.raises(UsageError, match="scrapy"):
        searxng(wrapper, "x", "https://x.example/?q={query}")


@pytest.mark.parametrize(
    ("rule", "learned", "unseen"),
    [
        (HITS, result_page(0), result_page(2)),
        (ROWS, row_page(0), row_page(1)),
        (RULED, separated_page(0), separated_page(1)),
        (
            SeparatedRule(RULED.prefix, RULED.separators, 2, 4),
            separated_page(0),
            separated_page(1),
        ),
        (
            RULED,
            separated_page(0),
            separated_page(1).replace(
                "<main><div>", "<main><div><h2>Found</h2><form>for hay</form>"
            ),
        ),
    ],
)
def test_what_a_spider_does_gives_the_records_of_the_wrapper(
    rule: Rule, learned: str, unseen: str
) -> None:
    wrapper = wrapper_of(rule, learned)
    root = lxml.html.document_fromstring(unseen)
    records = eval(
        cutting_of(wrapper), {**vars(cutting), **constants_of(wrapper), "root": root}
    )
    fields = fields_of(wrapper)
    rows = wrapper.extract(unseen)
    assert len(rows) >= 3
    assert [lines(values.record_text(record)) for record in records] == [
        lines(row.text) for row in rows
    ]
    one_element = wrapper.fields.starts_at_one_element
    assert [
        values.read_fields(record, fields, one_element=one_element)
        for record in records
    ] == [row.fields for row in rows]
    assert [values.first_link(record) for record in records] == [
        row.link for row in rows
    ]


def cutting_of(wrapper: Wrapper) -> str:
    found = re.search(
        r"^ +records = (.*)$",
        scrapy_spider(wrapper, "https://x.example/"),
        re.MULTILINE,
    )
    assert found
    return found.group(1)


def constants_of(wrapper: Wrapper) -> dict[str, Any]:
    """What stands in a spider, run without Scrapy: the test with Scrapy is in
    tests/e2e.
    """
    source = scrapy_spider(wrapper, "https://x.example/")
    spider = ModuleType("spider")
    assignments = re.findall(
        r"^([A-Z_]+ = (?:\[\n(?: .*\n)*\]|.*))$", source, re.MULTILINE
    )
    exec("\n".join(assignments), vars(spider))
    return {name: value for name, value in vars(spider).items() if name.isupper()}


def test_glued_text_and_runs_of_formatted_words_are_read_whole() -> None:
    page = "<ul>" + "".join(
        f"<li><a href=/{n}>Title {n}</a> <p>{n} words on <b>hay</b> and <i>more</i> hay</p>"
        f"<p class=by>by <a href=/w{n}>Writer {n}</a></p></li>"
        for n in range(8)
    )
    wrapper = wrapper_of(
        LocatedRule(ElementSelector("ul"), (), ElementSelector("li")), page
    )
    root = lxml.html.document_fromstring(page)
    fields = fields_of(wrapper)
    found = [
        values.read_fields([record], fields, one_element=True)
        for record in root.iter("li")
    ]
    assert found == [row.fields for row in wrapper.extract(page)]


def test_a_title_that_is_shortened_is_read_whole() -> None:
    page = "<ul>" + "".join(
        f"<li><h3><a href=/{n} title='A wooden hay rake of size {n}'>A wooden hay…</a>"
        f"</h3><p title='Other words'>{n} kilos of ash and …</p></li>"
        for n in range(8)
    )
    rule = LocatedRule(ElementSelector("ul"), (), ElementSelector("li"))
    wrapper = wrapper_of(rule, page)
    rows = [row.fields for row in wrapper.extract(page)]
    assert rows[3]["title"] == "A wooden hay rake of size 3"
    assert "Other words" not in rows[3].values()
    root = lxml.html.document_fromstring(page)
    fields = fields_of(wrapper)
    found = [
        values.read_fields([record], fields, one_element=True)
        for record in root.iter("li")
    ]
    assert found == rows


def test_fields_in_a_table_that_does_not_write_its_body() -> None:
    rows = "<tr><td>{n} kilos</td></tr><tr><td><a href=/{n}>Rake {n}</a></td><td class=price>€{n}</td></tr>"
    page = "<ul>" + "".join(
        f"<li><table>{rows.format(n=n)}</table></li>" for n in range(1, 8)
    )
    wrapper = wrapper_of(
        LocatedRule(ElementSelector("ul"), (), ElementSelector("li")), page
    )
    root = lxml.html.document_fromstring(page)
    assert not root.xpath("//tbody")
    found = [
        values.read_fields([record], fields_of(wrapper), one_element=True)
        for record in root.iter("li")
    ]
    assert found == [row.fields for row in wrapper.extract(page)]
    assert found[0]["title"] == "Rake 1"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<a rel=next href=/2>on</a>", "/2"),
        ("<a href=/2>Next »</a>", "/2"),
        ("<a href=/2 title=Weiter>›</a>", "/2"),
        ("<li class=next><a href=/2>»</a></li>", "/2"),
        ("<ul><li class=active><a href=/1>1</a><li><a href=/2>2</a></ul>", "/2"),
        ("<a href=/a>1</a> <a href=/b aria-current=page>2</a> <a href=/2>3</a>", "/2"),
        ("<a href=/a>1</a> <b>2</b> <a href=/2>3</a> <a href=/c>4</a>", "/2"),
        ("<ul><li><a href=/a>1</a><li>[2]<li><a href=/2>3</a></ul>", "/2"),
        ("<a href=/a>1</a> <b>2</b>", None),
        ("<b>10</b> <a href=/a>20</a> <a href=/b>50</a>", None),
        ("<a href='#'>Next</a>", None),
        ("<a href=/2 class=disabled>Next</a>", None),
        ("<a href=/2>Nothing</a>", None),
    ],
)
def test_a_spider_finds_the_next_page(link: str, expected: str | None) -> None:
    root = lxml.html.document_fromstring(
        f"<body><p><a href=/1>Next</a></p><div>{link}</div>"
    )
    assert paging.next_link(root, [[root.find(".//p")]]) == expected


def test_the_entry_for_searxng_asks_for_one_value_of_records_that_have_one() -> None:
    wrapper = wrapper_of(HITS, result_page(0))
    entry = searxng(
        wrapper, "barley search", "https://x.example/s?q={query}&page={pageno}"
    )
    assert entry.startswith(
        'engines:\n  - name: "barley search"\n    engine: "xpath"\n'
    )
    assert "    paging: true\n    first_page_num: 1\n" in entry
    values = dict(re.findall(r'^    (\w+): "(.*)"$', entry, re.MULTILINE))
    page = result_page(1).replace("<h3><a href='/item/12'>", "<h3><a>")
    records = lxml.html.document_fromstring(page).xpath(values["results_xpath"])
    urls = [record.xpath(values["url_xpath"]) for record in records]
    assert urls == [[f"/item/{number}"] for number in range(10, 20) if number != 12]
    assert all(len(record.xpath(values["title_xpath"])) == 1 for record in records)
    assert all(
        "Some words on" in record.xpath(values["content_xpath"])[0].text_content()
        for record in records
    )


def test_an_address_that_counts_records_gets_their_number() -> None:
    wrapper = wrapper_of(HITS, result_page(0))
    assert "first_page_num: 0\n    page_size: 10\n" in searxng(
        wrapper, "x", "https://x.example/?q={query}&start={pageno}"
    )
    assert "paging: false" in searxng(wrapper, "x", "https://x.example/?q={query}")


@pytest.mark.parametrize(
    ("name", "address", "message"),
    [
        ("x", "https://x.example/?q=hay", "{query}"),
        ("x", "https://x.example/?q={query}&k={key}", "{key}"),
        ("a_b", "https://x.example/?q={query}", "underscores"),
        (" ", "https://x.example/?q={query}", "name"),
    ],
)
def test_what_searxng_would_refuse_is_refused_here(
    name: str, address: str, message: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        searxng(wrapper_of(HITS, result_page(0)), name, address)


@pytest.mark.parametrize(
    "address", ["ftp://x.example/", "x.example", "https://x.example/\n"]
)
def test_a_spider_starts_at_a_web_address(address: str) -> None:
    with pytest.raises(UsageError, match="https://"):
        scrapy_spider(wrapper_of(HITS, result_page(0)), address)


def test_nothing_of_a_page_can_become_code_of_the_spider() -> None:
    evil = '"""\nraise SystemExit("gotcha")\n"""\''
    rule = LocatedRule(
        ElementSelector("div", evil), (), ElementSelector("p", None, ("x'y\"",))
    )
    page = f"<div id='{evil.replace(chr(39), '&#39;')}'>" + "".join(
        f"<p class='x&#39;y&quot;'><a href=/{n}>Title {n}</a>" for n in range(4)
    )
    source = scrapy_spider(wrapper_of(rule, page), 'https://x.example/?"""+1')
    compile(source, "spider", "exec")
    assert not re.search(r"^raise", source, re.MULTILINE)
    root = lxml.html.document_fromstring(page)
    constants = constants_of(wrapper_of(rule, page))
    assert len(root.xpath(constants["RECORD"])) == 4


@pytest.mark.parametrize("name", ["🍞", "крошка", "a]b", "1st", "-"])
def test_a_class_of_any_letters_can_be_exported(name: str) -> None:
    rule = LocatedRule(
        ElementSelector("div"), (), ElementSelector("p", None, (name,)), None
    )
    page = "<div>" + "".join(
        f"<p class='{name}'><a href=/{n} class='{name}'>Title {n}</a><b class='{name}'>{n}</b>"
        for n in range(4)
    )
    wrapper = wrapper_of(rule, page)
    source = scrapy_spider(wrapper, "https://x.example/")
    compile(source, "spider", "exec")
    root = lxml.html.document_fromstring(page)
    assert len(root.xpath(constants_of(wrapper)["RECORD"])) == 4
