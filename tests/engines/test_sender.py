"""Asking engines: politely, within bounds, and with a reason for every refusal."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from loopback import HTML, Loopback, Reply, Visit
from scythe.engines.asking.sender import Sender, SendOptions
from scythe.engines.forms import Request
from scythe.errors import (
    Blocked,
    EngineError,
    FetchError,
    LoginNeeded,
    RobotsRefused,
    ScytheError,
    TooManyRequests,
    Unreachable,
    UsageError,
)
from scythe.sources import ReadOptions
from scythe.sources.crawl_policy import CrawlPolicy, RobotsRules
from scythe.urls import is_loopback_url, origin

QUICK = SendOptions(loopback_pause=0.0, read=ReadOptions(timeout=5.0, idle_timeout=2.0))


def sender(**changes: object) -> Sender:
    return Sender(replace(QUICK, **changes), CrawlPolicy())  # type: ignore[arg-type]


def page(text: str = "Here.", status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, {"Content-Type": HTML, **named}, f"<p>{text}</p>".encode()


def paths(web: Loopback) -> list[str]:
    return [path for path, _ in web.asked]


# Crawl policy


def test_robots_are_asked_once_and_obeyed(web: Loopback) -> None:
    web.add(
        "/robots.txt", b"User-agent: *\nDisallow: /search\nAllow: /\n", "text/plain"
    )
    asking = sender()
    assert asking.get(web.url("/mowing")).status == 200
    with pytest.raises(RobotsRefused, match=r"robots\.txt"):
        asking.send(Request(web.url("/search?q=x")))
    with pytest.raises(RobotsRefused):
        asking.wait_turn(web.url("/search"))
    assert paths(web) == ["/robots.txt", "/mowing"]


def test_robots_may_name_scythe(web: Loopback) -> None:
    web.add(
        "/robots.txt",
        b"User-agent: scythe\nDisallow: /\n\nUser-agent: *\nDisallow:\n",
        "text/plain",
    )
    with pytest.raises(RobotsRefused):
        sender().get(web.url("/mowing"))
    assert (
        sender(read=replace(QUICK.read, user_agent="other/1.0"))
        .get(web.url("/mowing"))
        .status
        == 200
    )


def test_robots_can_be_left_unasked(web: Loopback) -> None:
    web.add("/robots.txt", b"User-agent: *\nDisallow: /\n", "text/plain")
    assert sender(robots=False).get(web.url("/mowing")).status == 200


def test_robots_that_cannot_be_read_close_the_site(web: Loopback) -> None:
    web.add("/robots.txt", b"", status=503)
    with pytest.raises(RobotsRefused, match="503"):
        sender().get(web.url("/mowing"))


@pytest.mark.parametrize("status", [404, 403, 410])
def test_a_site_without_robots_is_open(web: Loopback, status: int) -> None:
    web.add("/robots.txt", b"Disallow: /", status=status)
    assert sender().get(web.url("/mowing")).status == 200


def test_redirects_obey_robots_too(web: Loopback) -> None:
    web.add("/robots.txt", b"User-agent: *\nDisallow: /private\n", "text/plain")
    web.add("/go", b"", status=302, Location="/private")
    with pytest.raises(RobotsRefused):
        sender().get(web.url("/go"))


def test_requests_to_one_host_leave_a_pause() -> None:
    policy = CrawlPolicy(clock=count(100.0, 0.0).__next__)  # time stands still
    assert [policy.reserve("http://a.example/1", 2.0) for _ in range(3)] == [
        0.0,
        2.0,
        4.0,
    ]
    assert policy.reserve("http://b.example/", 2.0) == 0.0
    policy.hold("http://b.example/", 30.0)
    assert policy.reserve("http://b.example/", 2.0) == 30.0


def test_rules_are_believed_for_a_day() -> None:
    hours = iter([0.0, 23 * 3600.0, 25 * 3600.0, 25 * 3600.0])
    policy, fetched = CrawlPolicy(clock=hours.__next__), list[str]()

    def fetch(url: str) -> RobotsRules:
        fetched.append(url)
        return RobotsRules()

    for _ in range(3):
        policy.rules("http://a.example/x", fetch)
    assert fetched == ["http://a.example/robots.txt"] * 2


def test_sites_ask_for_longer_pauses() -> None:
    assert RobotsRules.parse("User-agent: *\nCrawl-delay: 7\n").delay("scythe/1") == 7.0
    assert (
        RobotsRules.parse("User-agent: *\nRequest-rate: 1/5\n").delay("scythe/1") == 5.0
    )
    assert RobotsRules().delay("scythe/1") == 0.0


def test_a_pause_that_nobody_would_wait_for_is_refused(web: Loopback) -> None:
    web.add("/robots.txt", b"User-agent: *\nCrawl-delay: 600\n", "text/plain")
    with pytest.raises(TooManyRequests, match="600 seconds") as refused:
        sender().get(web.url("/mowing"))
    assert refused.value.wait == 600.0


def test_hosts_are_told_apart() -> None:
    assert origin("HTTP://User:pw@Site.Example:80/a?b") == "http://site.example:80"
    assert is_loopback_url("http://127.0.0.1:8000/")
    assert is_loopback_url("http://localhost/")
    assert not is_loopback_url("http://127.example/")


def test_scythe_gives_its_name(web: Loopback) -> None:
    sender().get(web.url("/mowing"))
    assert all(headers["user-agent"].startswith("scythe/") for _, headers in web.asked)


# Answers


def test_a_query_is_sent_by_post(web: Loopback) -> None:
    seen: list[Visit] = []
    web.site = lambda visit: (
        seen.append(visit) or (page() if visit.path == "/search" else None)  # type: ignore[func-returns-value]
    )
    answer = sender(robots=False).send(
        Request(web.url("/search"), "post", b"q=x", {"Content-Type": "text/x"})
    )
    assert answer.tree.text.tolist().count("Here.") == 1
    assert (seen[-1].method, seen[-1].body, seen[-1].headers["content-type"]) == (
        "POST",
        b"q=x",
        "text/x",
    )


def test_cookies_are_kept_by_a_sender_and_by_no_other(web: Loopback) -> None:
    web.site = lambda visit: page(
        visit.headers.get("cookie", "none"), Set_Cookie="visitor=7; Path=/"
    )
    asking = sender(robots=False)
    assert not asking.has_cookies()
    asking.get(web.url("/"))
    assert asking.has_cookies()
    assert b"visitor=7" in asking.get(web.url("/")).data
    assert b"none" in asking.without_cookies().get(web.url("/")).data


@pytest.mark.parametrize("way", ["redirect", "refresh"])
def test_headers_of_the_user_are_for_the_engine_alone(web: Loopback, way: str) -> None:
    headers = {"Cookie": "session=7", "Authorization": "Bearer 7", "X-Api-Key": "7"}
    with Loopback() as other:
        target = other.url("/mowing")
        refresh = f'<meta http-equiv=refresh content="0; url={target}">'
        web.add("/redirect", b"", status=302, Location=target)
        web.add("/refresh", refresh.encode())
        asking = sender(read=ReadOptions(headers=headers))
        assert asking.get(web.url(f"/{way}")).url == target
        assert {path for path, _ in other.asked} == {"/robots.txt", "/mowing"}
        for _, sent in other.asked:
            assert not {name.lower() for name in headers} & sent.keys()
    assert dict(web.asked)[f"/{way}"]["cookie"] == "session=7"


def test_redirects_are_followed_and_told(web: Loopback) -> None:
    web.add("/go", b"", status=303, Location="/mowing")
    answer = sender().send(Request(web.url("/go"), "post", b"q=x"))
    assert (answer.url, answer.redirected) == (web.url("/mowing"), True)
    assert not sender().get(web.url("/mowing")).redirected


@pytest.mark.parametrize(
    "content",
    ["0; url=/mowing", "0;URL='/mowing'", "2, /mowing", " 0.5 ; url = mowing "],
)
def test_pages_that_send_on_at_once_are_redirects(web: Loopback, content: str) -> None:
    web.add(
        "/go", f'<meta http-equiv=Refresh content="{content}"><p>Wait.</p>'.encode()
    )
    answer = sender().get(web.url("/go"))
    assert (answer.url, answer.redirected) == (web.url("/mowing"), True)


@pytest.mark.parametrize(
    "content",
    ["60; url=/mowing", "0", "0; url=/go", "x; url=/mowing", "0; url=http://["],
)
def test_pages_that_stay_are_read(web: Loopback, content: str) -> None:
    web.add(
        "/go", f'<meta http-equiv=refresh content="{content}"><p>Stay.</p>'.encode()
    )
    assert sender().get(web.url("/go")).url == web.url("/go")


def test_pages_that_are_not_there_are_answers(web: Loopback) -> None:
    web.add("/none", b"<p>Nothing found</p>", status=404)
    assert sender().get(web.url("/none")).status == 404


def test_the_charset_of_forms_is_that_of_the_page(web: Loopback) -> None:
    web.add("/latin", b"<meta charset=iso-8859-1><p>Only ASCII</p>", "text/html")
    web.add("/header", b"<p>Only ASCII</p>", "text/html; charset=gbk")
    web.add("/wrong", "<meta charset=iso-8859-1><p>Mühle</p>".encode(), "text/html")
    charsets = [
        sender().get(web.url(path)).form_charset
        for path in ("/latin", "/header", "/wrong", "/mowing")
    ]
    assert charsets == ["cp1252", "gb18030", "utf-8", "utf-8"]


def test_what_is_too_long_is_cut(web: Loopback) -> None:
    assert (
        len(
            sender(read=replace(QUICK.read, max_bytes=1000))
            .get(web.url("/endless"))
            .data
        )
        == 1001
    )


# Refusals


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, LoginNeeded),
        (403, Blocked),
        (429, TooManyRequests),
        (500, Unreachable),
        (502, Unreachable),
        (503, Unreachable),
    ],
)
def test_refusals_say_what_they_are(
    web: Loopback, status: int, kind: type[EngineError]
) -> None:
    web.add("/no", b"<p>No.</p>", status=status)
    with pytest.raises(kind, match=str(status)):
        sender().get(web.url("/no"))


def test_a_bot_check_is_a_block_whatever_its_status(web: Loopback) -> None:
    web.add(
        "/check",
        b"<title>Just a moment...</title><p>Checking your browser</p>",
        status=503,
    )
    with pytest.raises(Blocked):
        sender().get(web.url("/check"))


def test_a_short_wait_is_waited_for(web: Loopback) -> None:
    answers = iter([page("Slow down", 429, Retry_After="0"), page("Fine")])
    web.site = lambda visit: next(answers) if visit.path == "/search" else None
    assert b"Fine" in sender(robots=False).get(web.url("/search")).data


@pytest.mark.parametrize("after", ["3600", "Fri, 31 Dec 2999 23:59:59 GMT"])
def test_a_long_wait_is_told(web: Loopback, after: str) -> None:
    web.add("/search", b"", status=429, Retry_After=after)
    with pytest.raises(TooManyRequests) as refused:
        sender().get(web.url("/search"))
    assert refused.value.wait is not None
    assert refused.value.wait >= 3600


def test_a_host_that_asks_for_it_is_left_alone(web: Loopback) -> None:
    web.add("/search", b"", status=429, Retry_After="120")
    asking = sender(robots=False)
    for _ in range(3):
        with pytest.raises(TooManyRequests):
            asking.get(web.url("/search"))
    assert paths(web) == ["/search"]


def test_a_wait_that_makes_no_sense_is_none(web: Loopback) -> None:
    web.add("/search", b"", status=429, Retry_After="soon")
    with pytest.raises(TooManyRequests) as refused:
        sender().get(web.url("/search"))
    assert refused.value.wait is None


@pytest.mark.parametrize("path", ["/silent", "/dripping"])
def test_a_server_that_does_not_answer_is_given_up(web: Loopback, path: str) -> None:
    with pytest.raises(Unreachable, match="Cannot fetch"):
        sender(robots=False, read=ReadOptions(timeout=0.5, idle_timeout=0.3)).get(
            web.url(path)
        )


def test_nothing_there_is_unreachable() -> None:
    with Loopback() as gone:
        url = gone.url("/")
    with pytest.raises(Unreachable, match="nothing answers"):
        sender().get(url)


def test_a_server_that_only_breaks_for_robots_is_asked(web: Loopback) -> None:
    assert (
        sender().get(web.url("/mowing")).status == 200
    )  # the loopback server drops connections to unknown paths


def test_redirects_that_never_end_are_given_up(web: Loopback) -> None:
    web.add("/round", b"", status=302, Location="/round")
    with pytest.raises(Unreachable, match="redirects"):
        sender().get(web.url("/round"))


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example/",
        "nothing",
        "http://",
        "file:///etc/passwd",
        "http://[bad",
        "http://a:99999/",
    ],
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(FetchError):
        sender().get(url)


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "http://[bad", "javascript:x"]
)
def test_redirects_to_other_addresses_are_refused(web: Loopback, target: str) -> None:
    web.add("/go", b"", status=302, Location=target)
    with pytest.raises(ScytheError):
        sender().get(web.url("/go"))


def test_options_are_checked() -> None:
    with pytest.raises(UsageError, match="pause"):
        SendOptions(pause=-1)
