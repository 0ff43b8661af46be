"""OpenSearch descriptions become forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.engines.discovery.opensearch import (
    description_links,
    is_description,
    parse_description,
)
from scythe.errors import NoSearchForm, ScytheError, UsageError
from scythe.tree import parse

URL = "http://site.example/opensearch.xml"


def described(urls: str, more: str = "") -> bytes:
    return (
        '<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/" '
        'xmlns:p="http://a9.com/-/spec/opensearch/extensions/parameters/1.0/">'
        f"<ShortName>Farm</ShortName>{more}{urls}</OpenSearchDescription>"
    ).encode()


def url_for(query: str, urls: str, more: str = "") -> str:
    return parse_description(described(urls, more), URL).form.request(query).url


def test_the_address_for_html_results_is_taken() -> None:
    urls = (
        '<Url type="application/x-suggestions+json" template="http://site.example/suggest?q={searchTerms}"/>'
        '<Url type="application/rss+xml" template="http://site.example/rss?q={searchTerms}"/>'
        '<Url type="text/html" template="http://site.example/search?lang=en&amp;q={searchTerms}"/>'
    )
    assert url_for("a b", urls) == "http://site.example/search?lang=en&q=a+b"


def test_other_parameters_have_defaults() -> None:
    urls = (
        '<Url type="text/html" pageOffset="0" template="http://site.example/s?q={searchTerms}&amp;n={count?}&amp;p={startPage}'
        '&amp;i={startIndex?}&amp;l={language}&amp;e={inputEncoding}&amp;x={own:thing?}"/>'
    )
    assert url_for(
        "x", urls
    ) == "http://site.example/s?q=x&n=&p=0&i=&l=%2A&e=utf-8&x=".replace("%2A", "*")


def test_words_in_the_path() -> None:
    assert url_for(
        "a b",
        '<Url type="text/html" template="http://site.example/find/{searchTerms}?x=1"/>',
    ) == ("http://site.example/find/a%20b?x=1")


def test_relative_addresses_and_charsets() -> None:
    more = "<InputEncoding>ISO-8859-1</InputEncoding>"
    assert (
        url_for("ü", '<Url type="text/html" template="/s?q={searchTerms}"/>', more)
        == "http://site.example/s?q=%FC"
    )


def test_post_with_parameters() -> None:
    urls = (
        '<Url type="text/html" method="POST" template="http://site.example/s"><p:Param name="q" value="{searchTerms}"/>'
        '<Param name="n" value="10"/></Url>'
    )
    request = parse_description(described(urls), URL).form.request("x")
    assert (request.method, request.url, request.body) == (
        "post",
        "http://site.example/s",
        b"q=x&n=10",
    )


def test_the_name_is_kept() -> None:
    assert (
        parse_description(
            described(
                '<Url type="text/html" template="http://a.example/?q={searchTerms}"/>'
            )
        ).name
        == "Farm"
    )


@pytest.mark.parametrize(
    "urls",
    [
        "",
        '<Url type="application/json" template="http://a.example/?q={searchTerms}"/>',
        '<Url type="text/html" template="http://a.example/"/>',
        '<Url type="text/html" template="javascript:alert({searchTerms})"/>',
        '<Url type="text/html" template="http://[x/{searchTerms}"/>',
        '<Url type="text/html" rel="suggestions" template="http://a.example/?q={searchTerms}"/>',
    ],
)
def test_a_description_without_html_results_says_what_to_do(urls: str) -> None:
    with pytest.raises(NoSearchForm, match="Give the page"):
        parse_description(described(urls), URL)


@pytest.mark.parametrize(
    "data",
    [
        b"<OpenSearchDescription>",
        b"",
        b"<!DOCTYPE x [<!ENTITY a 'b'>]><OpenSearchDescription/>",
        b"<OpenSearchDescription>" * 99,
    ],
)
def test_broken_descriptions_are_refused(data: bytes) -> None:
    with pytest.raises(UsageError):
        parse_description(data, URL)


def test_pages_announce_descriptions() -> None:
    html = (
        "<link rel='search' type='application/opensearchdescription+xml' title=Farm href=/os.xml>"
        "<link rel=search href=/search.html><link rel=stylesheet href=a.css>"
        "<link rel=search type=application/opensearchdescription+xml href='http://[bad'>"
    )
    assert list(description_links(parse(html), "http://site.example/x")) == [
        ("Farm", "http://site.example/os.xml")
    ]


def test_descriptions_are_recognised() -> None:
    assert is_description(described(""))
    assert not is_description(b"<!DOCTYPE html><title>OpenSearchDescription</title>")


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_template_gives_a_form_or_a_reason(template: str, url: str) -> None:
    escaped = (
        "".join(sign for sign in template if sign.isprintable() and sign not in '<&"')
        + "{searchTerms}"
    )
    try:
        parse_description(
            described(f'<Url type="text/html" template="{escaped}"/>'), url
        ).form.request("x")
    except ScytheError:
        pass
