import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.content.metadata.jsonld import read_jsonld, type_names, walk_items
from scythe.content.metadata.microdata import MAX_DEPTH, read_microdata
from scythe.tree import parse


def jsonld(*texts: str) -> list[dict[str, Any]]:
    return read_jsonld(
        parse(
            "".join(
                f'<script type="application/ld+json">{text}</script>' for text in texts
            )
        )
    )


def test_jsonld_opens_arrays_and_graphs_and_keeps_the_keys() -> None:
    found = jsonld(
        '{"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": "S"}, {"@type": "Article", "x:y": [1]}]}',
        '[{"@type": "Person"}, [{"@type": "Product"}]]',
        '{"@type": "Recipe", "@graph": [{"@type": "Thing"}]}',
    )
    assert found == [
        {"@type": "WebSite", "name": "S"},
        {"@type": "Article", "x:y": [1]},
        {"@type": "Person"},
        {"@type": "Product"},
        {"@type": "Recipe", "@graph": [{"@type": "Thing"}]},
        {"@type": "Thing"},
    ]


def test_jsonld_reads_only_scripts_that_say_so_and_survives_broken_ones() -> None:
    page = parse(
        '<script>{"@type": "No"}</script><script type="Application/LD+JSON; charset=utf-8">{"@type": "A",}</script>'
        '<script type="application/ld+json">not json</script><script type="application/ld+json">{"@type": "B"}</script>'
    )
    assert [type_names(item) for item in read_jsonld(page)] == [["A"], ["B"]]


def test_nested_items_come_outermost_first() -> None:
    items: list[dict[str, Any]] = [
        {
            "@type": "WebPage",
            "mainEntity": {
                "@type": "Question",
                "acceptedAnswer": [{"@type": "Answer"}],
            },
        },
        {"@type": "B"},
    ]
    assert [type_names(item)[0] for item in walk_items(items)] == [
        "WebPage",
        "B",
        "Question",
        "Answer",
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Article", ["Article"]),
        ("http://schema.org/Article", ["Article"]),
        ("schema:Article", ["Article"]),
        (["https://schema.org/Article", "NewsArticle"], ["Article", "NewsArticle"]),
        (None, []),
        (5, []),
    ],
)
def test_types_are_bare_names(written: object, read: list[str]) -> None:
    assert type_names({"@type": written}) == read


def test_microdata_has_the_shape_of_jsonld() -> None:
    page = parse("""
        <div itemscope itemtype="http://schema.org/Recipe" itemid="#r">
          <h1 itemprop="name">Bread  and
            butter</h1>
          <img itemprop="image" src="b.jpg"><a itemprop="url sameAs" href="/b">b</a>
          <time itemprop="datePublished" datetime="2024-03-05">5 March</time>
          <meta itemprop="prepTime" content="PT5M"><span itemprop="yield" content="4">four</span>
          <ul><li itemprop="ingredient">flour<li itemprop="ingredient">water<li itemprop="ingredient">salt</ul>
          <p itemprop="author" itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ada</b></p>
          <div itemscope itemtype="http://schema.org/Aside"><i itemprop="name">apart</i></div>
        </div><p itemprop="name">nobody's</p>
    """)
    assert read_microdata(page) == [
        {
            "@type": "http://schema.org/Recipe",
            "@id": "#r",
            "name": "Bread and butter",
            "image": "b.jpg",
            "url": "/b",
            "sameAs": "/b",
            "datePublished": "2024-03-05",
            "prepTime": "PT5M",
            "yield": "4",
            "ingredient": ["flour", "water", "salt"],
            "author": {"@type": "http://schema.org/Person", "name": "Ada"},
        },
        {"@type": "http://schema.org/Aside", "name": "apart"},
    ]


def test_microdata_follows_references() -> None:
    page = parse(
        '<p id=x><b itemprop=name>Ada</b></p><div itemscope itemref="x y"><i itemprop=job>poet</i></div><u id=y itemprop=z>1</u>'
    )
    assert read_microdata(page) == [{"name": "Ada", "job": "poet", "z": "1"}]


def test_microdata_that_refers_to_itself_forms_no_circle() -> None:
    page = parse(
        "<div id=a itemscope itemprop=p itemref=a><div id=b itemscope itemprop=q itemref='a b'></div></div>"
    )
    json.dumps(read_microdata(page))


def test_microdata_is_bounded() -> None:
    deep = read_microdata(parse("<div itemscope itemprop=a>" * 100_000))
    assert len(list(walk_items(deep))) <= MAX_DEPTH + 1
    json.dumps(deep)
    long = read_microdata(
        parse("<div itemscope itemprop=a><p itemprop=b>" * 100 + "x" * 100_000)
    )
    assert len(json.dumps(long)) < 1_000_000


attributes = st.sampled_from(
    [
        "itemscope",
        "itemprop=a",
        "itemprop='a b'",
        "itemref='x y'",
        "id=x",
        "id=y",
        "itemtype=T",
        "itemid=i",
        "content",
        "href=h",
        "",
    ]
)
tags = st.builds(
    lambda name, found: f"<{name} {' '.join(found)}>",
    st.sampled_from(["div", "p", "a", "meta", "time", "img", "/div", "/p", "object"]),
    st.lists(attributes, max_size=4),
)


@given(st.lists(tags | st.text(max_size=5), max_size=30))
def test_any_microdata_can_be_written_as_json(parts: list[str]) -> None:
    json.dumps(read_microdata(parse("".join(parts))))


@given(st.text() | st.binary())
def test_any_jsonld_can_be_written_as_json(junk: str | bytes) -> None:
    text = junk if isinstance(junk, str) else junk.decode("latin-1")
    json.dumps(jsonld(text))
