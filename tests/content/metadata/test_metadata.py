import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.content.metadata import Metadata, read_metadata
from scythe.tree import parse


def read(
    html: str, url: str | None = "https://www.example.org/a/page.html"
) -> Metadata:
    return read_metadata(parse(html), url)


ARTICLE = """
<html lang="en-GB"><head>
<title>Why bread rises | The Daily Crumb</title>
<link rel="canonical" href="/bread">
<meta property="og:site_name" content="The Daily Crumb">
<meta property="og:image" content="/img/bread.jpg">
<meta name="description" content="Yeast &amp; time.">
<script type="application/ld+json">
{"@context": "https://schema.org", "@graph": [
  {"@type": "NewsArticle", "headline": "Why bread rises", "author": {"@id": "#ada"}, "datePublished": "2024-03-05T08:00:00Z",
   "dateModified": "2024-04-01", "publisher": {"@type": "Organization", "name": "The Daily Crumb"},},
  {"@type": "Person", "@id": "#ada", "name": "Ada Baker"}
]}</script></head>
<body><h1>Why bread rises</h1><p>By Somebody Else</p><p>It is the yeast.</p></body></html>
"""


def test_reads_every_field_with_its_source() -> None:
    assert read(ARTICLE).to_dict() == {
        "title": "Why bread rises",
        "author": "Ada Baker",
        "published": "2024-03-05",
        "modified": "2024-04-01",
        "language": "en-GB",
        "site_name": "The Daily Crumb",
        "description": "Yeast & time.",
        "image": "https://www.example.org/img/bread.jpg",
        "canonical_url": "https://www.example.org/bread",
        "sources": {
            "title": "h1",
            "author": "json-ld author",
            "published": "json-ld datePublished",
            "modified": "json-ld dateModified",
            "language": "html lang",
            "site_name": "og:site_name",
            "description": "meta description",
            "image": "og:image",
            "canonical_url": "link rel=canonical",
        },
    }


def test_an_empty_page_says_nothing() -> None:
    assert read("") == Metadata()
    assert set(Metadata().to_dict()) == {*Metadata.__slots__}


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ("<meta name=author content='By Jane Doe'>", "Jane Doe"),
        ("<meta name=author content='Jane Doe; John Roe'>", "Jane Doe, John Roe"),
        ("<meta name=author content='Jane Doe and John Roe'>", "Jane Doe, John Roe"),
        (
            "<meta name=citation_author content='Doe, Jane'><meta name=citation_author content='Roe, John'>",
            "Jane Doe, John Roe",
        ),
        ("<meta property=article:author content='https://social.example/jane'>", None),
        ("<meta name=author content='admin'>", None),
        ("<meta name=author content='jane@example.org'>", None),
        (
            "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Jane Doe'>",
            "Jane Doe",
        ),
        (
            "<meta name=twitter:label1 content='Price'><meta name=twitter:data1 content='$ 20'>",
            None,
        ),
        ("<h1>T</h1><a rel=author href=/jane>Jane Doe</a>", "Jane Doe"),
        (
            "<h1>T</h1><p class=byline>By <a href=/j>Jane Doe</a>, <a href=/r>John Roe</a> <span>Staff Writer</span></p>",
            "Jane Doe, John Roe",
        ),
        ("<h1>T</h1><span class='author vcard'>Jane Doe</span>", "Jane Doe"),
        ("<h1>T</h1><div>By Jane Doe | March 5, 2024</div>", "Jane Doe"),
        ("<h1>T</h1><div>Written by</div><div>Jane Doe</div>", "Jane Doe"),
        ("<h1>T</h1><div>Von Jürgen Müller</div>", "Jürgen Müller"),
        ("<h1>标题</h1><div>作者：李明</div>", "李明"),
        ("<h1>T</h1><p>By clicking this button you agree to all of it.</p>", None),
        ("<h1>T</h1><div class=comment-author>Troll</div>", None),
        ("<h1>T</h1><p class=author hidden>Jane Doe</p>", None),
        (
            "<div itemscope itemtype=http://schema.org/BlogPosting><b itemprop=author>Jane Doe</b></div>",
            "Jane Doe",
        ),
        (
            "<meta property=og:site_name content=Bay><meta name=author content=Bay><h1>T</h1><p class=byline>Jane Doe</p>",
            "Jane Doe",
        ),
        (
            "<meta property=og:site_name content=Harbour><meta name=author content=Harbour><h1>T</h1>",
            "Harbour",
        ),
    ],
)
def test_authors_are_names(html: str, author: str | None) -> None:
    assert read(html).author == author


def test_authors_of_comments_and_answers_are_not_those_of_the_page() -> None:
    page = """<script type="application/ld+json">{"@type": "DiscussionForumPosting", "author": {"name": "asker"},
        "datePublished": "2024-01-01", "comment": [{"@type": "Comment", "author": {"name": "other"}}]}</script>"""
    assert read(page).author == "asker"
    only_comment = '<script type="application/ld+json">{"@type": "Comment", "author": {"name": "other"}}</script>'
    assert read(only_comment).author is None


def test_a_list_of_articles_does_not_speak_for_its_page() -> None:
    items = [
        {
            "@type": "Article",
            "headline": f"Story {n}",
            "author": "Jane Doe",
            "datePublished": "2024-01-01",
        }
        for n in range(3)
    ]
    page = f"<title>All stories of the week</title><script type=application/ld+json>{json.dumps(items)}</script>"
    assert (read(page).author, read(page).published) == (None, None)
    assert read(page.replace("All stories of the week", "Story 2")).author == "Jane Doe"


@pytest.mark.parametrize(
    ("html", "url", "published", "modified"),
    [
        (
            "<meta property=article:published_time content=2024-03-05T10:00:00+00:00>",
            None,
            "2024-03-05",
            None,
        ),
        (
            "<meta property=article:modified_time content=2024-03-05>",
            None,
            None,
            "2024-03-05",
        ),
        ("<meta property=article:published_time content=never>", None, None, None),
        ("", "https://example.org/2024/03/05/title", "2024-03-05", None),
        ("", "https://example.org/news/2024-03-05-title", "2024-03-05", None),
        ("", "https://example.org/id/20240305123", None, None),
        ("<meta name=DC.date.issued content='5 March 2024'>", None, "2024-03-05", None),
        (
            "<h1>T</h1><time datetime=2024-03-05>yesterday</time>",
            None,
            "2024-03-05",
            None,
        ),
        (
            "<h1>T</h1><p>Updated <time datetime=2024-03-05>5 March</time></p>",
            None,
            None,
            "2024-03-05",
        ),
        (
            "<h1>T</h1><p>Published: March 5, 2024. Updated: April 6, 2024</p>",
            None,
            "2024-03-05",
            "2024-04-06",
        ),
        ("<h1>T</h1><p>Last updated</p><p>March 5, 2024</p>", None, None, "2024-03-05"),
        (
            "<html lang=fr><h1>T</h1><p>Publié le 05/03/2024</p>",
            None,
            "2024-03-05",
            None,
        ),
        ("<html lang=en-US><h1>T</h1><p>03/05/2024</p>", None, "2024-03-05", None),
        ("<h1>标题</h1><p>2024年3月5日 来源</p>", None, "2024-03-05", None),
        (
            "<div itemscope itemtype=https://schema.org/Article><time itemprop=datePublished>5 March 2024</time></div>",
            None,
            "2024-03-05",
            None,
        ),
    ],
)
def test_dates_come_from_the_strongest_statement(
    html: str, url: str | None, published: str | None, modified: str | None
) -> None:
    found = read(html, url)
    assert (found.published, found.modified) == (published, modified)


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=EN_us>", "en-US"),
        ("<html lang=zh-hans-cn>", "zh-Hans-CN"),
        ("<html xml:lang=de>", "de"),
        ("<meta http-equiv=Content-Language content='pt-BR, pt'>", "pt-BR"),
        ("<meta property=og:locale content=ja_JP>", "ja-JP"),
        (
            '<script type=application/ld+json>{"@type": "WebPage", "inLanguage": "ru"}</script>',
            "ru",
        ),
        ("<meta name=language content=English>", "en"),
        ("<html lang='{{ lang }}'><meta property=og:locale content=it_IT>", "it-IT"),
        ("<html lang=''>", None),
    ],
)
def test_the_language_is_a_tag(html: str, language: str | None) -> None:
    assert read(html).language == language


@pytest.mark.parametrize(
    ("html", "image"),
    [
        (
            "<meta property=og:image content=//cdn.example.org/a.jpg>",
            "https://cdn.example.org/a.jpg",
        ),
        (
            "<base href=https://b.example/x/><meta name=twitter:image content=a.jpg>",
            "https://b.example/x/a.jpg",
        ),
        (
            '<script type=application/ld+json>{"@type": "Article", "image": [{"url": "/a.jpg"}, "/b.jpg"]}</script>',
            "https://www.example.org/a.jpg",
        ),
        ("<link rel=image_src href=/a.jpg>", "https://www.example.org/a.jpg"),
        (
            "<h1>T</h1><img src=/logo.png><img src=/s.jpg width=40><img src=data:x data-src=/big.jpg width=800>",
            "https://www.example.org/big.jpg",
        ),
        (
            "<h1>T</h1><img src=/upsell.gif alt='Now on your phone'><img src=/next-arrow.png><img src=/a.jpg>",
            "https://www.example.org/a.jpg",
        ),
        ("<meta property=og:image content=data:image/png;base64,AAAA>", None),
        ("<meta property=og:image content='http://['>", None),
        ("<meta property=og:image content='javascript:alert(1)'>", None),
    ],
)
def test_the_image_is_an_absolute_address(html: str, image: str | None) -> None:
    assert read(html).image == image


def test_relative_addresses_without_a_page_address_are_left_out() -> None:
    found = read(
        "<link rel=canonical href=/a><meta property=og:image content=/b.jpg>", url=None
    )
    assert (found.canonical_url, found.image) == (None, None)


def test_the_declared_address_serves_where_none_is_given() -> None:
    page = "<link rel=canonical href=https://harbour.example/2024/03/05/sail><title>Sail - Harbour</title>"
    found = read(page, url=None)
    assert (found.title, found.published, found.sources["published"]) == (
        "Sail",
        "2024-03-05",
        "url",
    )


meta_names = st.sampled_from(
    [
        "og:title",
        "author",
        "article:published_time",
        "og:image",
        "og:locale",
        "twitter:data1",
        "citation_author",
        "date",
        "description",
    ]
)
parts = st.one_of(
    st.builds(
        lambda name, value: f'<meta name="{name}" content="{value}">',
        meta_names,
        st.text(max_size=30),
    ),
    st.builds(lambda text: f"<h1 class=author>{text}</h1>", st.text(max_size=30)),
    st.builds(
        lambda text: (
            f"<p class=byline rel=author itemprop=author itemscope>By {text}</p>"
        ),
        st.text(max_size=30),
    ),
    st.builds(lambda text: f"<title>{text} - {text}</title>", st.text(max_size=30)),
    st.builds(
        lambda text: (
            f'<time datetime="{text}">{text}</time><img src="{text}"><base href="{text}">'
        ),
        st.text(max_size=30),
    ),
    st.builds(
        lambda kind, name, value: (
            f"<script type=application/ld+json>{json.dumps({'@type': kind, name: value})}</script>"
        ),
        st.sampled_from(["Article", "WebPage", "WebSite", 1, None, ["Article", {}]]),
        st.sampled_from(
            [
                "author",
                "datePublished",
                "headline",
                "image",
                "inLanguage",
                "publisher",
                "name",
                "mainEntity",
                "@id",
                "@graph",
            ]
        ),
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats()
            | st.text(max_size=20),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        ["name", "@id", "url", "@type", "author", "headline"]
                    ),
                    inner,
                    max_size=3,
                )
            ),
            max_leaves=6,
        ),
    ),
)


@given(
    st.lists(parts, max_size=8),
    st.text(max_size=30) | st.none() | st.just("http://[bad"),
)
def test_any_page_gives_clean_values_and_the_source_of_each(
    found: list[str], url: str | None
) -> None:
    metadata = read("".join(found), url)
    values = {
        name: value
        for name, value in metadata.to_dict().items()
        if name != "sources" and value is not None
    }
    assert set(values) == set(metadata.sources)
    for name, value in values.items():
        assert value == value.strip()
        assert "\n" not in value
        assert 0 < len(value.encode("utf-8")) < 20_000, name
    assert all(
        address.startswith(("http://", "https://"))
        for address in map(values.get, ("image", "canonical_url"))
        if address
    )


@pytest.mark.parametrize(
    "page",
    [
        "<script type=application/ld+json>"
        + '{"@type": "Article", "author": [' * 20_000,
        "<script type=application/ld+json>["
        + '{"@type": "Article", "author": "Jane Doe"},' * 20_000,
        "<meta name=author content='" + "a; " * 500_000 + "'>",
        "<meta name=author content='Jane Doe'>" * 50_000,
        "<title>" + "a - | " * 300_000 + "</title><h1>" + "a - " * 300_000,
        "<h1>T</h1>" + "<span class=author>By " * 50_000,
        "<h1>T</h1><p>" + "12/12/" * 50_000,
        "<div itemscope itemprop=author itemtype=Article>" * 50_000,
    ],
)
def test_hostile_pages_give_short_answers(page: str) -> None:
    assert all(
        len(value) < 5_000
        for value in read(page).to_dict().values()
        if isinstance(value, str)
    )
