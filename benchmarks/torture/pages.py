"""Some sixty kinds of pages that no person wrote, each near the limits of what is read.

A generator takes a scale: 1 is the size at which the promises hold, less is for the test
suite. Numbers are chosen so that a page has up to some 300,000 nodes or 16 MB, which are
the default limits; a few go beyond them on purpose.
"""

from __future__ import annotations

import random
from collections.abc import Callable

PAGES: dict[str, Callable[[float], str]] = {}
"""The generators by name."""

Generator = Callable[[float], str]


def page(make: Generator) -> Generator:
    """Put a generator on the list."""
    PAGES[make.__name__] = make
    return make


def many(number: int, scale: float) -> range:
    """Return the numbers of so many things, at a scale."""
    return range(max(2, round(number * scale)))


def wrap(body: str, head: str = "") -> str:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


TAGS = "div p span section article b i em strong u li dd dt h2 h3 a td".split()


def varied(draw: random.Random, number: int) -> str:
    """Return an element that is like no other: tags, classes and depth at random."""
    tags = draw.choices(TAGS[:9], k=draw.randrange(1, 6))
    opened = "".join(f"<{tag} class=c{draw.randrange(999)}>" for tag in tags)
    closed = "".join(f"</{tag}>" for tag in reversed(tags))
    return f"{opened}Words of number {number}{closed}"


# Deep pages.


@page
def deep_divs(scale: float) -> str:
    levels = len(many(100_000, scale))
    return wrap("<div>" * levels + "words" + "</div>" * levels)


@page
def deep_unclosed_formatting(scale: float) -> str:
    return wrap("".join(f"<b class=c{n}><p>x" for n in many(3_000, scale)))


@page
def deep_lists(scale: float) -> str:
    return wrap("".join(f"<ul><li>Item {n}" for n in many(50_000, scale)))


@page
def deep_tables(scale: float) -> str:
    return wrap("".join(f"<table><tr><td>cell {n}" for n in many(20_000, scale)))


@page
def deep_quotes(scale: float) -> str:
    return wrap("".join(f"<blockquote><p>line {n}" for n in many(50_000, scale)))


@page
def deep_and_wide(scale: float) -> str:
    rows = "".join(f"<li>word {n}</li>" for n in many(400, scale))
    return wrap("".join(f"<div><ul>{rows}</ul>" for _ in many(450, scale)))


@page
def nested_varied(scale: float) -> str:
    draw = random.Random(1)
    parts = []
    for n in many(2_000, scale):
        parts.append("<div class=item>" * (n % 40))
        parts.append("".join(varied(draw, n) for _ in range(10)))
        parts.append("</div>" * (n % 37))
    return wrap("".join(parts))


# Wide pages.


@page
def flat_divs(scale: float) -> str:
    return wrap("".join(f"<div>Words {n}</div>" for n in many(100_000, scale)))


@page
def empty_divs(scale: float) -> str:
    return wrap("<div></div>" * len(many(300_000, scale)))


@page
def all_different_siblings(scale: float) -> str:
    draw = random.Random(2)
    return wrap("".join(varied(draw, n) for n in many(20_000, scale)))


@page
def own_tags(scale: float) -> str:
    body = "".join(f"<x-{n}>Words {n}</x-{n}>" for n in many(60_000, scale))
    return wrap(body)


@page
def alternating(scale: float) -> str:
    pair = "<div class=a>Words {0}</div><p class=b>Other {0}</p>"
    return wrap("".join(pair.format(n) for n in many(25_000, scale)))


@page
def alternating_by_three(scale: float) -> str:
    triple = "<h3>Title {0}</h3><p>Text of {0}</p><div><a href=/{0}>more</a></div>"
    return wrap("".join(triple.format(n) for n in many(20_000, scale)))


@page
def random_alternation(scale: float) -> str:
    draw = random.Random(3)
    tags = draw.choices(["div", "p", "h2", "ul", "pre"], k=len(many(60_000, scale)))
    return wrap("".join(f"<{tag}>Words {n}</{tag}>" for n, tag in enumerate(tags)))


@page
def list_items(scale: float) -> str:
    items = "".join(f"<li>Item {n}</li>" for n in many(100_000, scale))
    return wrap(f"<ul>{items}</ul>")


@page
def million_list_items(scale: float) -> str:
    return wrap("<ul>" + "<li>x" * len(many(1_000_000, scale)) + "</ul>")


@page
def huge_items(scale: float) -> str:
    parts = "".join(f"<p>Words <b>{n}</b> of it</p>" for n in many(400, scale))
    items = "".join(f"<li><h3>Item {n}</h3>{parts}</li>" for n in many(200, scale))
    return wrap(f"<ol>{items}</ol>")


@page
def random_items(scale: float) -> str:
    draw = random.Random(4)
    items = []
    for n in many(10_000, scale):
        inner = "".join(varied(draw, n) for _ in range(draw.randrange(1, 5)))
        items.append(f"<li class=item>{inner}</li>")
    return wrap("<ul>" + "".join(items) + "</ul>")


@page
def one_record_of_many_children(scale: float) -> str:
    children = "".join(f"<span>part {n}</span>" for n in many(30_000, scale))
    row = "<li><a href=/{0}>Item {0}</a><span>a</span></li>"
    rows = "".join(row.format(n) for n in range(10))
    return wrap(f"<ul>{rows}<li><a href=/x>Item</a>{children}</li></ul>")


@page
def records_with_many_classes(scale: float) -> str:
    row = "<div class='{1}'><a href=/{0}>Item {0}</a></div>"
    classes = " ".join(f"c{n}" for n in many(200, scale))
    return wrap("".join(row.format(n, classes) for n in many(10_000, scale)))


@page
def own_class_each(scale: float) -> str:
    row = "<div class='r{0} x{0} y{0}' id=i{0}><a href=/{0}>Item {0}</a><p>Text {0}</p></div>"
    return wrap("".join(row.format(n) for n in many(20_000, scale)))


@page
def many_sections(scale: float) -> str:
    row = "<li><a href=/{0}/{1}>Item {1} of {0}</a></li>"
    lists = []
    for number in many(5_000, scale):
        rows = "".join(row.format(number, n) for n in range(8))
        lists.append(f"<h2>Section {number}</h2><ul class=s{number}>{rows}</ul>")
    return wrap("".join(lists))


@page
def many_columns(scale: float) -> str:
    fields = "".join(f"<span class=f{n}>value {n}</span>" for n in many(300, scale))
    return wrap("".join(f"<div class=row>{fields}</div>" for _ in many(300, scale)))


@page
def changing_columns(scale: float) -> str:
    draw = random.Random(5)
    rows = []
    for n in many(3_000, scale):
        names = draw.sample(range(2_000), 20)
        fields = "".join(f"<i class=f{name}>v{n}</i>" for name in names)
        rows.append(f"<div class=row><a href=/{n}>Item {n}</a>{fields}</div>")
    return wrap("".join(rows))


# Tables.


@page
def square_table(scale: float) -> str:
    cells = "<td>1" * len(many(1_000, scale))
    return wrap("<table>" + f"<tr>{cells}" * len(many(1_000, scale)) + "</table>")


@page
def wide_table(scale: float) -> str:
    cells = "".join(f"<td>cell {n}" for n in many(70_000, scale))
    return wrap(f"<table><tr>{cells}<tr>{cells}</table>")


@page
def spanning_table(scale: float) -> str:
    cell = "<td rowspan=65534 colspan=1000>x"
    return wrap("<table>" + f"<tr>{cell * 10}" * len(many(2_000, scale)) + "</table>")


@page
def small_tables(scale: float) -> str:
    one = "<table><tr><th>Name<th>Price<tr><td>Thing {0}<td>{0} €</table>"
    return wrap("".join(one.format(n) for n in many(15_000, scale)))


@page
def definition_list(scale: float) -> str:
    rows = "".join(f"<dt>Term {n}<dd>Meaning {n}" for n in many(60_000, scale))
    return wrap(f"<dl>{rows}</dl>")


# Links, pictures, pages after pages.


@page
def million_links(scale: float) -> str:
    return wrap("<a href=/a>x</a>" * len(many(1_000_000, scale)))


@page
def links_with_text(scale: float) -> str:
    link = "<a href=/page/{0}>The page number {0}</a> and some text "
    return wrap("".join(link.format(n) for n in many(100_000, scale)))


@page
def links_of_many_hosts(scale: float) -> str:
    link = "<p><a href=http://host{0}.example/p{0}?a={0}&b=x#y>Page {0}</a></p>"
    return wrap("".join(link.format(n) for n in many(60_000, scale)))


@page
def page_numbers(scale: float) -> str:
    links = " ".join(f"<a href='?page={n}'>{n}</a>" for n in many(60_000, scale))
    rows = "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(20))
    return wrap(f"<ul>{rows}</ul><div class=pager>{links}</div>")


@page
def next_links(scale: float) -> str:
    link = "<a class=next rel='x next' href='?p={0}'>Next »</a>"
    rows = "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(20))
    links = "".join(link.format(n) for n in many(60_000, scale))
    return wrap(f"<ul>{rows}</ul>{links}")


@page
def long_addresses(scale: float) -> str:
    address = "/a" * 20_000 + "?" + "&".join(f"k{n}=v" for n in range(5_000))
    return wrap(f"<p><a href='{address}'>Words</a></p>" * len(many(180, scale)))


@page
def srcset_flood(scale: float) -> str:
    sources = ", ".join(f"/p{n}.jpg {n}w" for n in many(200_000, scale))
    return wrap(f"<article><p>Words</p><img srcset='{sources}' src=a.jpg></article>")


@page
def pictures(scale: float) -> str:
    one = "<figure><img src=/p{0}.jpg alt='Picture {0}'><figcaption>About {0}</figcaption></figure>"
    return wrap("".join(one.format(n) for n in many(40_000, scale)))


@page
def many_bases(scale: float) -> str:
    bases = "".join(f"<base href='http://h{n}.example/'>" for n in many(50_000, scale))
    return wrap("<a href=x>Words</a>" * len(many(50_000, scale)), bases)


# Forms.


@page
def forms(scale: float) -> str:
    one = "<form action=/s{0}><input name=q{0}><input type=submit value=Search></form>"
    return wrap("".join(one.format(n) for n in many(20_000, scale)))


@page
def inputs_of_one_form(scale: float) -> str:
    inputs = "".join(f"<input name=n{n} value={n}>" for n in many(200_000, scale))
    return wrap(f"<form action=/search>{inputs}</form>")


@page
def labels(scale: float) -> str:
    one = "<label for=i{0}>Search {0}</label><input id=i{0} name=q{0}>"
    fields = "".join(one.format(n) for n in many(50_000, scale))
    return wrap(f"<form action=/search>{fields}</form>")


@page
def labels_of_one_input(scale: float) -> str:
    body = "<label for=q>Search</label>" * len(many(50_000, scale))
    return wrap(f"<form>{body}<input id=q name=q></form>" + "<input id=q>" * 1_000)


@page
def options_of_one_select(scale: float) -> str:
    options = "".join(f"<option value={n}>Choice {n}" for n in many(100_000, scale))
    return wrap(f"<form><select name=s>{options}</select><input name=q></form>")


@page
def inputs_outside_forms(scale: float) -> str:
    one = "<input form=f{0} placeholder=Search name=q>"
    return wrap("".join(one.format(n) for n in many(100_000, scale)))


# What a page declares.


def declared(data: str) -> str:
    script = f'<script type="application/ld+json">{data}</script>'
    return wrap("<article><h1>Title</h1><p>Some words of it.</p></article>", script)


@page
def deep_json(scale: float) -> str:
    levels = len(many(100_000, scale))
    return declared('{"@type":"Recipe","a":' * levels + "1" + "}" * levels)


@page
def deep_json_lists(scale: float) -> str:
    levels = len(many(500_000, scale))
    return declared("[" * levels + "]" * levels)


@page
def wide_json(scale: float) -> str:
    item = '{{"@type":"Product","name":"Thing {0}","offers":{{"price":"{0}"}}}}'
    items = ",".join(item.format(n) for n in many(60_000, scale))
    return declared(f'{{"@graph":[{items}]}}')


@page
def json_of_references(scale: float) -> str:
    item = (
        '{{"@id":"#{0}","@type":"Article","mainEntity":{{"@id":"#{1}"}},'
        '"part":[{{"@id":"#{1}"}},{{"@id":"#{1}"}}]}}'
    )
    items = ",".join(item.format(n, n + 1) for n in many(20_000, scale))
    return declared(f'{{"@graph":[{items}]}}')


@page
def json_scripts(scale: float) -> str:
    one = '<script type="application/ld+json">{{"@type":"Event","name":"Event {0}"}}</script>'
    return wrap("<p>Words</p>", "".join(one.format(n) for n in many(50_000, scale)))


@page
def json_numbers(scale: float) -> str:
    digits = "9" * len(many(1_000_000, scale))
    return declared(f'{{"@type":"Product","price":{digits},"totalTime":"P{digits}D"}}')


@page
def json_lines(scale: float) -> str:
    lines = ",\n".join(f'"k{n}": "value {n}"' for n in many(200_000, scale))
    return declared(f'{{"@type":"Recipe",\n{lines}}}')


@page
def microdata(scale: float) -> str:
    one = "<div itemscope itemprop=p itemtype=http://schema.org/Product><b itemprop=name>Thing</b>"
    return wrap(one * len(many(30_000, scale)))


@page
def item_references(scale: float) -> str:
    names = " ".join(f"i{n}" for n in many(3_000, scale))
    one = (
        "<div id=i{0} itemscope itemtype=http://schema.org/Recipe itemref='{1}'>"
        "<b itemprop=name>x</b></div>"
    )
    return wrap("".join(one.format(n, names) for n in many(500, scale)))


@page
def meta_tags(scale: float) -> str:
    one = "<meta property=og:title content='Title {0}'><meta name=author content='Name {0}'>"
    return wrap("<p>Words</p>", "".join(one.format(n) for n in many(80_000, scale)))


@page
def application_state(scale: float) -> str:
    items = ",".join(f'{{"id":{n},"text":"words {n}"}}' for n in many(100_000, scale))
    script = (
        f'<script id="__NEXT_DATA__" type="application/json">{{"p":[{items}]}}</script>'
    )
    return wrap(f"<div id=root></div>{script}")


# Text.


@page
def one_word(scale: float) -> str:
    return wrap("<p>" + "x" * len(many(15_000_000, scale)))


@page
def spaces(scale: float) -> str:
    return wrap("<p>a" + " \n" * len(many(7_000_000, scale)) + "b")


@page
def short_lines(scale: float) -> str:
    return wrap("x<br>" * len(many(150_000, scale)))


@page
def headings(scale: float) -> str:
    one = "<h{1}>Heading {0}</h{1}><p>Words on it.</p>"
    return wrap("".join(one.format(n, n % 6 + 1) for n in many(50_000, scale)))


@page
def quotes_and_code(scale: float) -> str:
    one = "<pre><code>x = {0}\n</code></pre><blockquote><p>Quote {0}</blockquote>"
    return wrap("".join(one.format(n) for n in many(25_000, scale)))


@page
def formatted_letters(scale: float) -> str:
    return wrap("<p>" + "<b>x</b><i>y</i>" * len(many(70_000, scale)))


@page
def markdown_characters(scale: float) -> str:
    return wrap("<p>" + "*_`[](){}#+-.!|<&lt;" * len(many(600_000, scale)))


@page
def posts(scale: float) -> str:
    one = (
        "<div class='post comment' id=p{0}><span class=author>Name {0}</span>"
        "<time datetime=2020-01-01>1 Jan 2020</time><p>A reply of some words, {0}.</p></div>"
    )
    return wrap("".join(one.format(n) for n in many(20_000, scale)))


@page
def nested_posts(scale: float) -> str:
    one = "<div class=comment><a class=author>N{0}</a><time>1 Jan 2020</time><p>A reply {0}.</p>"
    return wrap("".join(one.format(n) for n in many(20_000, scale)))


@page
def prices_and_dates(scale: float) -> str:
    one = "<p>Price: 1.{0},00 € (was $ {0}) on 2020-01-{0} 4.5/5 ★★★★ in stock</p>"
    return wrap("<h1>Thing</h1>" + "".join(one.format(n) for n in many(40_000, scale)))


@page
def recipe_lines(scale: float) -> str:
    one = (
        "<li>{0} 1/2 cups of flour</li><p>Stir for {0} minutes. Prep time: {0} min</p>"
    )
    body = "".join(one.format(n) for n in many(30_000, scale))
    return wrap(f"<h1>Ingredients</h1>{body}")


# Style, comments, odd markup.


@page
def style_of_spaces(scale: float) -> str:
    style = "background:url(" + " " * 19_000
    return wrap(f"<p style='{style}'>words</p>" * len(many(300, scale)))


@page
def sheet_of_spaces(scale: float) -> str:
    css = "a{b:url(" + " " * 400_000
    return wrap("<p>words</p>", f"<style>{css}</style>" * len(many(30, scale)))


@page
def comments_of_dashes(scale: float) -> str:
    return "<!--" + "-" * len(many(8_000_000, scale)) + "--><p>words</p><!-- - - "


@page
def comments_without_end(scale: float) -> str:
    return wrap("<p>words</p>" + "<!--" * len(many(1_000_000, scale)))


@page
def attributes(scale: float) -> str:
    names = " ".join(f"a{n}=v{n}" for n in many(20_000, scale))
    return wrap(f"<p {names}>words</p>" * 40)


@page
def misnested(scale: float) -> str:
    return wrap("".join(f"<a href={n}><b><p>x</a></b>" for n in many(10_000, scale)))


@page
def text_in_tables(scale: float) -> str:
    return wrap("<table>" + "<tr>x<td>y</td>z<p>w" * len(many(40_000, scale)))


@page
def hidden(scale: float) -> str:
    one = "<div style='display:none' hidden aria-hidden=true><p>Words {0}</p></div>"
    return wrap("".join(one.format(n) for n in many(60_000, scale)))


@page
def templates_and_svg(scale: float) -> str:
    one = "<template><p>a</p></template><svg><g><title>t</title><path d='M0 0'/></g></svg>"
    return wrap(one * len(many(30_000, scale)))


@page
def random_bytes(scale: float) -> str:
    draw = random.Random(6)
    number = len(many(1_500_000, scale))
    return "".join(draw.choices("<>/!-?&#;='\" \nabscriptemléx[]", k=number))
