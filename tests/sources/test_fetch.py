"""Fetching from a real server on loopback that does everything wrong in turn."""

from __future__ import annotations

import gzip
import socket
import tracemalloc
import zlib

import pytest

from loopback import ARTICLE, Loopback
from scythe.errors import EmptyInput, FetchError, InputError, NotHtml, UsageError
from scythe.sources import ReadOptions, fetch
from scythe.version import installed_version


def test_gives_the_bytes_the_final_address_and_the_charset_of_the_header(
    web: Loopback,
) -> None:
    web.add("/old", b"", status=301, Location="/new?a=1")
    web.add(
        "/new?a=1",
        "<p>Zażółć gęślą jaźń.".encode("iso-8859-2"),
        kind="text/html; charset=ISO-8859-2",
    )
    page = fetch(web.url("/old"))
    assert page.url == web.url("/new?a=1")
    assert page.charset is not None
    assert page.data.decode(page.charset) == "<p>Zażółć gęślą jaźń."


def test_names_itself_and_sends_the_headers_asked_for(web: Loopback) -> None:
    fetch(web.url("/mowing"), ReadOptions(headers={"Accept-Language": "nn"}))
    fetch(web.url("/mowing"), ReadOptions(user_agent="harvester 2"))
    first, second = [headers for path, headers in web.asked if path == "/mowing"]
    assert first["user-agent"] == f"scythe/{installed_version()}"
    assert first["accept-language"] == "nn"
    assert second["user-agent"] == "harvester 2"


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "application/xhtml+xml",
        "TEXT/HTML",
        "text/plain",
        "application/octet-stream",
    ],
)
def test_takes_every_type_under_which_pages_are_sent(
    web: Loopback, kind: str | None
) -> None:
    web.add("/page", ARTICLE.encode(), kind=kind)
    assert fetch(web.url("/page")).data == ARTICLE.encode()


def test_unpacks_deflate_with_and_without_its_header(web: Loopback) -> None:
    raw = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    web.add("/page", zlib.compress(ARTICLE.encode()), Content_Encoding="deflate")
    web.add(
        "/raw", raw.compress(ARTICLE.encode()) + raw.flush(), Content_Encoding="deflate"
    )
    assert (
        fetch(web.url("/page")).data == fetch(web.url("/raw")).data == ARTICLE.encode()
    )


@pytest.mark.parametrize(
    "encoding", [{"Content_Encoding": "gzip"}, {"kind": "application/gzip"}]
)
def test_unpacks_gzip_as_encoding_and_as_file(
    web: Loopback, encoding: dict[str, str]
) -> None:
    web.add("/page", gzip.compress(ARTICLE.encode()), **encoding)  # type: ignore[arg-type]
    assert fetch(web.url("/page")).data == ARTICLE.encode()


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "login"),
        (403, "save the page"),
        (404, "Check the address"),
        (410, "removed"),
        (418, "save the page"),
        (500, "try again later"),
        (503, "try again later"),
        (304, "check the address"),
    ],
)
def test_an_error_status_says_what_to_do(
    web: Loopback, status: int, advice: str
) -> None:
    web.add("/broken", ARTICLE.encode(), status=status)
    with pytest.raises(FetchError, match=advice) as caught:
        fetch(web.url("/broken"))
    assert str(status) in str(caught.value)
    assert web.url("/broken") in str(caught.value)


def test_too_many_requests_tells_how_long_to_wait(web: Loopback) -> None:
    web.add("/busy", b"", status=429, Retry_After="120")
    with pytest.raises(FetchError, match="120 seconds"):
        fetch(web.url("/busy"))


def test_a_redirect_loop_ends(web: Loopback) -> None:
    web.add("/loop", b"", status=302, Location="/loop")
    with pytest.raises(FetchError, match="redirects more than 4 times"):
        fetch(web.url("/loop"), ReadOptions(max_redirects=4))
    assert len(web.asked) <= 6


@pytest.mark.parametrize(
    "location",
    ["ftp://files.example/a", "file:///etc/passwd", "javascript:alert(1)", "http://["],
)
def test_a_redirect_to_something_else_than_a_web_page_is_refused(
    web: Loopback, location: str
) -> None:
    web.add("/away", b"", status=302, Location=location)
    with pytest.raises(FetchError, match="Check"):
        fetch(web.url("/away"))


def test_a_server_that_never_answers_is_given_up(web: Loopback) -> None:
    with pytest.raises(FetchError, match=r"did not answer within 0\.2 seconds"):
        fetch(web.url("/silent"), ReadOptions(idle_timeout=0.2))


def test_the_deadline_holds_for_a_server_that_keeps_each_single_timeout(
    web: Loopback,
) -> None:
    with pytest.raises(FetchError, match=r"longer than 0\.5 seconds"):
        fetch(web.url("/dripping"), ReadOptions(timeout=0.5, idle_timeout=5))


def test_a_body_that_the_deadline_cuts_is_no_page(web: Loopback) -> None:
    with pytest.raises(FetchError, match=r"longer than 0\.5 seconds"):
        fetch(web.url("/trickling"), ReadOptions(timeout=0.5, idle_timeout=5))
    part = fetch(web.url("/trickling"), ReadOptions(timeout=20, max_bytes=100))
    assert len(part.data) == 101


def test_a_body_that_the_server_cuts_is_no_page(web: Loopback) -> None:
    body = ARTICLE.encode()
    part = body[: len(body) * 3 // 4]
    web.add("/length", part, Content_Length=str(len(body)))
    web.add(
        "/chunked", b"%x\r\n%s\r\n" % (len(part), part), Transfer_Encoding="chunked"
    )
    web.add("/packed", gzip.compress(body)[:-40], Content_Encoding="gzip")
    web.add("/deflated", zlib.compress(body)[:-40], Content_Encoding="deflate")
    for path in ("/length", "/chunked", "/packed", "/deflated"):
        with pytest.raises(FetchError, match="Try again later"):
            fetch(web.url(path))


@pytest.mark.parametrize("path", ["/endless", "/bomb"])
def test_no_more_is_read_than_one_byte_over_the_limit(web: Loopback, path: str) -> None:
    assert len(fetch(web.url(path), ReadOptions(max_bytes=50_000)).data) == 50_001


def test_a_bomb_in_a_bomb_takes_no_memory(web: Loopback) -> None:
    """Some kilobytes of gzip in gzip that hold two gigabytes."""
    body = _endless_gzip(_endless_gzip(b"<p>a" * 250_000, 200), 10)
    assert len(body) < 100_000
    web.add("/bomb-in-bomb", body, Content_Encoding="gzip, gzip")
    tracemalloc.start()
    try:
        read = fetch(web.url("/bomb-in-bomb"), ReadOptions(max_bytes=50_000)).data
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(read) == 50_001
    assert peak < 20_000_000


def _endless_gzip(data: bytes, times: int) -> bytes:
    """Return gzip that repeats data, made of one block that stands for itself."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    first = packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)
    following = packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + following * (times - 1)


def test_a_page_within_the_limit_is_whole(web: Loopback) -> None:
    web.add("/long", b"<p>" + b"a" * 299_997)
    assert len(fetch(web.url("/long"), ReadOptions(max_bytes=300_000)).data) == 300_000


@pytest.mark.parametrize(
    "kind",
    ["application/pdf", "image/png", "application/json", "video/mp4", "image/svg+xml"],
)
def test_other_types_are_refused(web: Loopback, kind: str) -> None:
    web.add("/file", b"anything", kind=kind)
    with pytest.raises(NotHtml, match=kind.replace("+", r"\+")):
        fetch(web.url("/file"))


def test_a_pdf_that_claims_to_be_html_is_refused(web: Loopback) -> None:
    web.add("/paper", b"%PDF-1.7 ...")
    with pytest.raises(NotHtml, match="PDF"):
        fetch(web.url("/paper"))


def test_an_empty_answer_is_an_error_of_its_own(web: Loopback) -> None:
    web.add("/nothing", b" \n")
    with pytest.raises(EmptyInput):
        fetch(web.url("/nothing"))


def test_a_body_that_is_not_what_it_says_is_reported(web: Loopback) -> None:
    web.add("/mixed", b"not gzip at all", Content_Encoding="gzip")
    web.add("/torn", gzip.compress(ARTICLE.encode())[:-40], kind="application/gzip")
    with pytest.raises(FetchError, match="compression"):
        fetch(web.url("/mixed"))
    with pytest.raises(InputError, match="damaged"):
        fetch(web.url("/torn"))


def test_no_server_no_host_no_certificate(
    web: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(FetchError, match="nothing answers there"):
            fetch(f"http://127.0.0.1:{unused.getsockname()[1]}/")
    with pytest.raises(FetchError, match="secure connection"):
        fetch(f"https://127.0.0.1:{web.port}/mowing")

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(FetchError, match="host name is unknown"):
        fetch("http://nowhere.invalid/")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://files.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "page.html",
        "http://",
        "http:///a",
        "http://[1",
        "https://\x00",
    ],
)
def test_what_is_no_web_address_is_refused_without_a_connection(url: str) -> None:
    with pytest.raises(FetchError, match="Cannot fetch"):
        fetch(url)


@pytest.mark.parametrize(
    "wrong",
    [
        {"timeout": 0},
        {"max_bytes": -1},
        {"user_agent": "a\r\nCookie: b"},
        {"headers": {"X": "ü"}},
        {"max_redirects": -1},
    ],
)
def test_options_that_no_request_can_satisfy_are_refused(
    wrong: dict[str, object],
) -> None:
    with pytest.raises(UsageError):
        ReadOptions(**wrong)  # type: ignore[arg-type]


SECRETS = {"Cookie": "session=7", "Authorization": "Bearer 7", "X-Api-Key": "7"}


def test_headers_of_the_user_are_for_the_site_that_was_asked(web: Loopback) -> None:
    """Also its robots.txt is asked for without them, and other sites hear of none but
    of the languages.
    """
    options = ReadOptions(headers={**SECRETS, "Accept-Language": "nn"}, delay=0)
    with Loopback() as other:
        web.add("/away", b"", status=302, Location=other.url("/mowing"))
        fetch(web.url("/away"), options)
        asked_there = dict(other.asked)
    asked_here = dict(web.asked)
    assert SECRETS.items() <= _as_given(asked_here["/away"]).items()
    assert "session=7" not in str(asked_here["/robots.txt"])
    for headers in asked_there.values():
        assert not SECRETS.keys() & _as_given(headers).keys()
        assert headers["accept-language"] == "nn"


def _as_given(headers: dict[str, str]) -> dict[str, str]:
    names = {name.lower(): name for name in SECRETS}
    return {names.get(name, name): value for name, value in headers.items()}
