"""Odd engines, discovered from their address alone: what is odd about each does no
harm, or is said.
"""

from __future__ import annotations

import pytest

from scythe.engines.asking.results import SearchStatus
from scythe.engines.discovery.discover import DiscoverOptions
from scythe.engines.engine import Engine

from . import odd, odd_forms, shop
from .judging import Score, judge
from .serving import Server, Site
from .shop import Shop

WORDS = ("mattock", "vineyard", "dented hoe", "crooked", "folding")
BY_TAGS = DiscoverOptions(render=False)


def found(
    engine: Engine,
    keeper: Shop,
    server: Server,
    queries: tuple[str, ...] = WORDS,
    pages: int = 1,
) -> Score:
    """How right the records of queries are that were not used in learning."""
    score = Score()
    for query in [query for query in queries if query.lower() not in engine.queries]:
        truth = [
            item
            for page in range(pages)
            for item in keeper.truth(query, server.url(""), page)
        ]
        records = engine.search(query, pages)
        score += judge(
            [
                (str(record.fields.get("title", "")), record.link or "")
                for record in records
            ],
            truth,
        )
    assert score.true
    return score


def assert_right(score: Score) -> None:
    assert (score.precision, score.recall) == (1.0, 1.0)


@pytest.mark.parametrize(
    "keeper",
    [
        pytest.param(Shop(method="post"), id="post"),
        pytest.param(odd.TokenShop(), id="token"),
        pytest.param(odd.SuggestingShop(), id="suggestions"),
        pytest.param(Shop(layout=shop.as_echo), id="echo"),
        pytest.param(Shop(layout=shop.as_terms), id="terms"),
        pytest.param(Shop(layout=shop.as_articles), id="articles"),
        pytest.param(Shop(shop.things(60)), id="few things"),
        pytest.param(Shop(size=3), id="three a page"),
        pytest.param(odd_forms.RedirectingShop(), id="redirect after post"),
        pytest.param(odd_forms.CrowdedShop(), id="many forms"),
        pytest.param(odd_forms.AdvancedShop(), id="advanced form"),
        pytest.param(odd_forms.DescribedShop(), id="opensearch"),
        pytest.param(odd_forms.SortedShop(), id="departments"),
    ],
)
def test_records_are_right_by_tags_alone(keeper: Shop) -> None:
    with Server(keeper) as server:
        assert_right(
            found(Engine.discover(server.url(), options=BY_TAGS), keeper, server)
        )


@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize(
    "keeper",
    [
        pytest.param(Shop(layout=shop.as_table), id="table"),
        pytest.param(Shop(layout=shop.as_grid), id="grid"),
        pytest.param(odd.ScriptedShop(), id="scripted results"),
        pytest.param(odd.ScriptedForm(), id="scripted form"),
        pytest.param(odd_forms.FormlessShop(), id="no form"),
    ],
)
def test_records_are_right_with_a_browser(keeper: Shop) -> None:
    with Server(keeper) as server:
        assert_right(found(Engine.discover(server.url()), keeper, server))


@pytest.mark.parametrize(
    ("keeper", "words"),
    [(odd.latin_shop(), odd.GERMAN), (odd.chinese_shop(), odd.CHINESE)],
    ids=["latin-1", "gbk"],
)
def test_queries_are_sent_in_the_charset_of_the_form(
    keeper: Shop, words: list[str]
) -> None:
    with Server(keeper) as server:
        assert_right(
            found(
                Engine.discover(server.url(), options=BY_TAGS),
                keeper,
                server,
                tuple(words),
            )
        )


def test_a_session_is_begun_before_each_search() -> None:
    keeper = Shop()
    with Server(odd.needs_cookie(keeper)) as server:
        engine = Engine.discover(server.url(), options=BY_TAGS)
        assert engine.session
        assert_right(found(engine, keeper, server))


def test_pages_are_followed_to_the_last() -> None:
    keeper = Shop()
    with Server(keeper) as server:
        engine = Engine.discover(server.url(), options=BY_TAGS)
        assert_right(found(engine, keeper, server, ("mattock",), pages=3))
        assert len(engine.search("mattock", pages=50)) == len(keeper.find("mattock"))


def test_a_jump_to_the_only_result_is_told_from_a_result_page() -> None:
    with Server(odd.JumpingShop()) as server:
        engine = Engine.discover(server.url(), options=BY_TAGS)
        results = engine.search("no. 123")
        assert (results.status, results.pages) == (
            SearchStatus.JUMPED,
            (server.url("/item/123"),),
        )


def test_other_things_shown_for_nothing_are_no_results() -> None:
    with Server(odd.SuggestingShop()) as server:
        engine = Engine.discover(server.url(), options=BY_TAGS)
        assert engine.search("qzxvkwjy").status == SearchStatus.EMPTY


@pytest.mark.parametrize(
    ("later", "status"),
    [
        (odd.captcha_after(Shop(), 0), SearchStatus.BLOCKED),
        (odd.limited_after(Shop(), 0, 3600), SearchStatus.LIMITED),
        (odd.login_wall, SearchStatus.LOGIN),
        (lambda _: None, SearchStatus.UNREACHABLE),
    ],
    ids=["captcha", "429", "login", "dropped"],
)
def test_an_engine_that_refuses_later_says_how(
    later: Site, status: SearchStatus
) -> None:
    with Server(Shop()) as server:
        engine = Engine.discover(server.url(), options=BY_TAGS)
        server.site = later
        results = engine.search("mattock")
        assert (results.status, len(results)) == (status, 0)
        assert results.note.endswith((".", ")"))


def test_requests_are_named_paced_and_few() -> None:
    with Server(
        odd.with_robots(Shop(), "User-agent: *\nDisallow: /item/\nCrawl-delay: 0.3\n")
    ) as server:
        Engine.discover(server.url(), options=BY_TAGS)
        pages = [asked for asked in server.asked if asked.path != "/robots.txt"]
        assert [asked.path for asked in server.asked].count("/robots.txt") == 1
        assert not [asked for asked in pages if asked.path.startswith("/item/")]
        assert all(
            "scythe" in asked.headers["user-agent"].lower() for asked in server.asked
        )
        assert len(pages) <= 25
        assert pages[-1].at - pages[0].at > 0.25 * (len(pages) - 1)
