"""From the address of a page with a search box to an engine that finds what its site
has.
"""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from library_site import Library, titles
from loopback import HTML, Loopback, Reply, Visit
from scythe.engines.asking.results import SearchStatus
from scythe.engines.asking.sender import Sender, SendOptions
from scythe.engines.discovery.discover import DiscoverOptions
from scythe.engines.discovery.stopwords import FREQUENT_WORDS
from scythe.engines.engine import Engine
from scythe.errors import (
    Blocked,
    LoginNeeded,
    NoSearchForm,
    NotLearned,
    RobotsRefused,
    ScytheError,
    TooManyRequests,
    UsageError,
)
from scythe.sources.crawl_policy import CrawlPolicy

BY_TAGS = DiscoverOptions(render=False)
LOGIN = b"<title>Members</title><form action=/in method=post><input name=user><input type=password name=pw><button>In</button></form>"


def sender() -> Sender:
    return Sender(SendOptions(loopback_pause=0.0), CrawlPolicy())


def learned(web: Loopback, library: Library, path: str = "/") -> Engine:
    web.site = library
    return Engine.discover(web.url(path), options=BY_TAGS, sender=sender())


def found(engine: Engine, query: str, pages: int = 1) -> list[str]:
    results = engine.search(query, pages, sender=sender())
    assert results.status is SearchStatus.OK, results.note
    return [str(record.fields["title"]) for record in results]


def html(body: str, status: int = 200) -> Reply:
    return status, {"Content-Type": HTML}, body.encode()


# Engines of many kinds


@pytest.mark.parametrize(
    "library",
    [
        Library(),
        Library(method="post"),
        Library(jumps=True),
        Library(suggests=True),
        Library(token=True),
        Library(changed=True),
    ],
    ids=["get", "post", "jumping", "suggesting", "token", "cards"],
)
def test_an_engine_finds_what_its_site_has(web: Loopback, library: Library) -> None:
    engine = learned(web, library)
    for query in ("weather", "secret", "miller", "northern garden"):
        numbers = library.found(query)
        if not (library.jumps and len(numbers) == 1):
            assert found(engine, query) == list(titles(numbers[:10]))
    assert engine.search("qqqqqq", sender=sender()).status is SearchStatus.EMPTY
    assert engine.name == f"127.0.0.1-{web.port}"
    assert engine.home == web.url("/")
    assert len(engine.queries) == BY_TAGS.samples


def test_a_first_page_without_words_to_ask_for_is_helped_by_its_links(
    web: Loopback,
) -> None:
    """Shops and blogs greet their readers on a page that names nothing they have."""

    def greeting(visit: Visit) -> Reply | None:
        if visit.path == "/":
            links = "<a href=/away>Imprint</a> <a href='/shelf#top'>Enter</a>"
            return html(f"<h1>Welcome!</h1>{Library().form()}<p>{links}</p>")
        if visit.path == "/shelf":
            return html("<h1>Shelves</h1><ul><li>harvest<li>village<li>kitchen</ul>")
        query = parse_qs(urlsplit(visit.path).query).get("q", [""])[0]
        if query in FREQUENT_WORDS["en"]:
            return html("<p>Sorry, we have no such book.</p>")
        return None

    library = Library(hook=greeting)
    engine = learned(web, library)
    assert found(engine, "weather") == list(titles(library.found("weather")))


def test_an_engine_is_kept_as_plain_values(web: Loopback) -> None:
    engine = learned(web, Library())
    again = Engine.from_json(json.loads(json.dumps(engine.as_json())))
    assert again.as_json() == engine.as_json()
    assert found(again, "weather") == found(engine, "weather")


def test_links_of_records_are_whole(web: Loopback) -> None:
    engine = learned(web, Library())
    assert engine.search("secret history", sender=sender())[0].link == web.url("/b/16")


def test_the_next_pages_are_read(web: Loopback) -> None:
    library = Library()
    engine = learned(web, library)
    assert found(engine, "book", 3) == list(titles(library.found("book")[:30]))
    assert len(found(engine, "book", 9)) == len(library.found("book"))


def test_pages_are_turned_by_buttons_too(web: Loopback) -> None:
    library = Library(buttons=True)
    assert found(learned(web, library), "book", 3) == list(
        titles(library.found("book")[:30])
    )


def test_a_jump_past_the_result_page_is_told(web: Loopback) -> None:
    engine = learned(web, Library(jumps=True))
    results = engine.search("secret history", sender=sender())
    assert (results.status, results.pages, list(results)) == (
        SearchStatus.JUMPED,
        (web.url("/b/16"),),
        [],
    )


def test_a_form_with_a_token_is_fetched_anew_for_each_search(web: Loopback) -> None:
    assert learned(web, Library(token=True)).session
    assert not learned(web, Library()).session


def test_a_search_that_needs_the_cookie_of_the_first_page(web: Loopback) -> None:
    library = Library()

    def guarded(visit: Visit) -> Reply | None:
        if visit.path == "/":
            status, headers, body = Library()(visit) or (404, {}, b"")
            return status, headers | {"Set-Cookie": "visitor=1; Path=/"}, body
        if visit.path.startswith("/find") and "visitor" not in visit.headers.get(
            "cookie", ""
        ):
            return 302, {"Location": "/"}, b""
        return None

    engine = learned(web, replace(library, hook=guarded))
    assert engine.session
    assert found(engine, "weather") == list(titles(library.found("weather")))


def test_another_template_is_drift(web: Loopback) -> None:
    engine = learned(web, Library())
    web.site = Library(changed=True)
    assert engine.search("secret", sender=sender()).status is SearchStatus.DRIFTED


# Ways in


def test_the_search_page_of_a_site_is_followed(web: Loopback) -> None:
    welcome = html(
        "<h1>Welcome</h1><p><a href=/about>About us</a> <a href=/search.html>Search the catalogue</a></p>"
    )
    library = Library()
    page = html(f"<h1>Search</h1>{library.form()}")
    library.hook = lambda visit: {"/welcome": welcome, "/search.html": page}.get(
        visit.path
    )
    engine = learned(web, library, "/welcome")
    assert engine.home == web.url("/search.html")
    assert found(engine, "weather") == list(titles(library.found("weather")))


def test_an_opensearch_description_is_enough(web: Loopback) -> None:
    xml = (
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Books</ShortName>'
        '<Url type="text/html" template="/find?q={searchTerms}"/></OpenSearchDescription>'
    )
    described = (
        200,
        {"Content-Type": "application/opensearchdescription+xml"},
        xml.encode(),
    )
    linking = html(
        "<link rel=search type=application/opensearchdescription+xml href=/os.xml title=Books><p>No form, garden music.</p>"
    )
    library = Library()
    library.hook = lambda visit: {"/os.xml": described, "/linking": linking}.get(
        visit.path
    )
    for path in ("/os.xml", "/linking"):
        engine = learned(web, library, path)
        assert engine.name == "Books"
        assert found(engine, "weather") == list(titles(library.found("weather")))


def test_a_declared_search_action_is_used(web: Loopback) -> None:
    action = {
        "@type": "SearchAction",
        "target": {"urlTemplate": web.url("/find?q={search_term_string}")},
    }
    declared = json.dumps(
        {
            "@context": "https://schema.org",
            "@type": "WebSite",
            "potentialAction": action,
        }
    )
    library = Library()
    library.hook = lambda visit: (
        html(f"<script type=application/ld+json>{declared}</script><p>Garden music</p>")
        if visit.path == "/app"
        else None
    )
    engine = learned(web, library, "/app")
    assert found(engine, "weather") == list(titles(library.found("weather")))


def test_a_box_without_a_form_is_guessed(web: Loopback) -> None:
    library = Library()

    def scripted(visit: Visit) -> Reply | None:
        if visit.path == "/box":
            return html(
                "<input type=search name=q placeholder=Search><p>Garden music</p><script>whatever()</script>"
            )
        if visit.path.startswith("/search?"):
            return library(replace(visit, path=visit.path.replace("/search", "/find")))
        return None

    engine = learned(web, replace(library, hook=scripted), "/box")
    assert found(engine, "weather") == list(titles(library.found("weather")))


def test_progress_is_told(web: Loopback) -> None:
    web.site = Library()
    stages: list[str] = []
    Engine.discover(
        web.url("/"),
        options=BY_TAGS,
        sender=sender(),
        progress=lambda stage, _: stages.append(stage),
    )
    assert list(dict.fromkeys(stages)) == ["page", "form", "query", "learn", "check"]


# What goes wrong


@pytest.mark.parametrize(
    ("path", "reply", "kind", "said"),
    [
        ("/gone", html("<p>Not here</p>", 404), ScytheError, "check the address"),
        (
            "/text",
            html("<h1>On mowing</h1><p>Only to be read.</p>"),
            NoSearchForm,
            "no search form",
        ),
        ("/in", (200, {"Content-Type": HTML}, LOGIN), LoginNeeded, "login"),
        ("/401", html("<p>Who are you?</p>", 401), LoginNeeded, "login"),
        (
            "/pdf",
            (200, {"Content-Type": "application/pdf"}, b"%PDF-1.4 x"),
            ScytheError,
            "PDF",
        ),
        ("/empty", (200, {"Content-Type": HTML}, b""), ScytheError, "nothing in"),
        (
            "/check",
            html("<title>Just a moment...</title><p>Checking your browser</p>"),
            Blocked,
            "bot check",
        ),
        ("/broken", html("<p>Oh no</p>", 500), ScytheError, "500"),
    ],
)
def test_what_is_wrong_with_a_page_is_said(
    web: Loopback, path: str, reply: Reply, kind: type[ScytheError], said: str
) -> None:
    web.site = lambda visit: reply if visit.path == path else html("", 404)
    with pytest.raises(kind, match=said):
        Engine.discover(web.url(path), options=BY_TAGS, sender=sender())


def refusing(at: str, reply: Reply) -> Library:
    return Library(hook=lambda visit: reply if visit.path.startswith(at) else None)


@pytest.mark.parametrize(
    ("library", "kind"),
    [
        (
            refusing(
                "/robots.txt",
                (
                    200,
                    {"Content-Type": "text/plain"},
                    b"User-agent: *\nDisallow: /find\n",
                ),
            ),
            RobotsRefused,
        ),
        (refusing("/find", html("<p>Slow down</p>", 429)), TooManyRequests),
        (
            refusing(
                "/find", html("<title>Are you a robot?</title><p>Unusual traffic</p>")
            ),
            Blocked,
        ),
        (refusing("/find", (200, {"Content-Type": HTML}, LOGIN)), LoginNeeded),
        (
            refusing(
                "/find",
                html(
                    "<form action=/find><input name=q></form><p>Nothing, whatever you ask.</p>"
                ),
            ),
            NotLearned,
        ),
        (
            refusing(
                "/find",
                html(
                    "".join(
                        f"<p><a href=/{n}>The same number {n}</a></p>" for n in range(9)
                    )
                ),
            ),
            NotLearned,
        ),
        (refusing("/find", html("<p>Broken</p>", 500)), ScytheError),
    ],
    ids=[
        "robots",
        "limited",
        "bot check",
        "login",
        "nothing",
        "always the same",
        "broken",
    ],
)
def test_what_is_wrong_with_an_engine_is_said(
    web: Loopback, library: Library, kind: type[ScytheError]
) -> None:
    with pytest.raises(kind):
        learned(web, library)


def test_an_engine_that_limits_soon_is_learned_from_what_came(web: Loopback) -> None:
    asked = iter(range(100))
    library = Library(
        hook=lambda visit: (
            html("", 429)
            if visit.path.startswith("/find") and next(asked) > 6
            else None
        )
    )
    assert 2 <= len(learned(web, library).queries) < BY_TAGS.samples + 1


def test_options_are_checked() -> None:
    with pytest.raises(UsageError):
        DiscoverOptions(samples=0)


@pytest.mark.parametrize(
    "values",
    [
        None,
        [],
        {},
        {"scythe": "engine", "format": 99},
        {"scythe": "engine", "format": 1, "name": "x"},
    ],
)
def test_what_is_no_engine_is_refused(values: object) -> None:
    with pytest.raises(UsageError):
        Engine.from_json(values)


def test_searches_never_fail_for_what_an_engine_does(web: Loopback) -> None:
    engine = learned(web, Library())
    statuses = {}
    for name, reply in {
        "limited": html("", 429),
        "login": (200, {"Content-Type": HTML}, LOGIN),
        "blocked": html("<title>Just a moment...</title><p>Checking your browser</p>"),
        "unreachable": html("", 500),
    }.items():
        web.site = refusing("/find", reply)
        statuses[name] = str(engine.search("weather", sender=sender()).status)
    assert statuses == {name: name for name in statuses}
    with pytest.raises(UsageError, match="at least one page"):
        engine.search("weather", 0)


@pytest.mark.parametrize("status", [404, 403, 500])
def test_a_form_that_leads_nowhere_leaves_its_turn_to_the_others(
    web: Loopback, status: int
) -> None:
    library = Library()

    def site(visit: Visit) -> Reply | None:
        if visit.path == "/":
            box = "<input type=search name=q placeholder=Search><button>Search</button>"
            broken = f"<form role=search action=/search>{box}</form>"
            return html(f"<title>Books</title>{broken}{library.form()}<p>garden music")
        if visit.path.startswith("/search"):
            return html("<p>There is nothing here.</p>", status)
        return library(visit)

    web.site = site
    engine = Engine.discover(web.url("/"), options=BY_TAGS, sender=sender())
    assert engine.form.action == web.url("/find")
