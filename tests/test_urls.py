"""One form for each address, whose it is, and which machines are private."""

from __future__ import annotations

import re
import socket
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe import urls
from scythe.urls import (
    bare_hostname,
    fetchable_url,
    hostname,
    is_own_network,
    is_private,
    is_web_url,
    resolve,
    same_site,
    short_domain,
    site,
    url_key,
)


def test_one_key_for_all_ways_to_write_an_address() -> None:
    ways = [
        "http://www.food.example/a/?b=2&a=1#x",
        "https://food.example/a/?a=1&b=2",
        "https://FOOD.example/a/index.html?a=1&b=2",
    ]
    assert len({url_key(way) for way in ways}) == 1
    assert url_key("https://food.example/a") != url_key("https://food.example/b")


def test_addresses_that_are_fetched() -> None:
    assert fetchable_url("javascript:alert(1)") is None
    assert fetchable_url("http://[bad") is None
    assert fetchable_url("x" * 3000, "https://food.example/") is None
    assert (
        fetchable_url("../pie#top", "https://food.example/a/b")
        == "https://food.example/pie"
    )


def test_sites() -> None:
    assert site("https://me@WWW.food.example:8080/a") == "food.example:8080"
    assert same_site("https://blog.food.example/", "https://www.food.example/x")
    assert not same_site("https://food.example.evil/", "https://food.example/")


def test_hosts() -> None:
    assert hostname("https://www.food.example/x") == "www.food.example"
    assert bare_hostname("https://www.food.example/x") == "food.example"
    assert hostname("http://[bad") == hostname("soup") == ""
    assert short_domain("https://a.b.food.example/") == "food.example"
    assert short_domain("http://127.0.0.1/") == "127.0.0.1"


def test_resolving() -> None:
    assert resolve("https://food.example/a/b", "c") == "https://food.example/a/c"
    assert resolve(None, "c") == "c"
    assert resolve("https://food.example/", "http://[bad") is None


@pytest.mark.parametrize(
    ("url", "is_web"),
    [
        ("https://food.example/", True),
        ("HTTP://food.example", True),
        ("https:///soup", False),
        ("ftp://food.example/", False),
        ("/soup", False),
        ("http://[bad", False),
    ],
)
def test_whole_addresses_of_the_web(url: str, is_web: bool) -> None:
    assert is_web_url(url) is is_web


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "::1",
        "[::ffff:10.0.0.1]",
        "0x7f.1",
        "2130706433",
        "fd00::1",
        "fec0::1",
        "64:ff9b::7f00:1",
        "64:ff9b::10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::224.0.0.1",
        "64:ff9b:1::8.8.8.8",
        "::ffff:0:127.0.0.1",
        "::ffff:224.0.0.1",
        "2002:7f00:1::",
        "2002:e000:1::",
        "2001:0:7f00:1::",
        "100.64.0.1",
        "0.0.0.0",
        "5f00::1",
        "printer.local",
        "*",
    ],
)
def test_private_machines(host: str) -> None:
    assert is_private(host)


def test_no_name_of_a_host_leads_to_this_machine_unseen() -> None:
    """What a system takes for this machine when it connects is refused before."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        for host in ("*", "0", "127.1", "0x7f.1", "<broadcast>", "%31%32%37.0.0.1"):
            try:
                socket.create_connection((host, port), timeout=5).close()
            except OSError:
                continue
            assert is_own_network(f"http://{host}:{port}/")


@pytest.mark.parametrize(
    "host", ["①②⑦.⓪.⓪.①", "127。0。0。1", "ｌｏｃａｌｈｏｓｔ", "１２７.1"]
)
def test_numbers_in_other_letters_are_known(host: str) -> None:
    assert is_private(host)


ADDRESS_PARTS = """
    a b1 . .. / // ? # ; : & % ~ @ [ ] ( é http: https:// h.org :80 x=y mailto: A %20
    """.split()
BASES = """
    http://h.org http://h.org/ https://H.org:80/a/b http://h.org/a//b/c http://h.org/a/
    http://h.org/a/../b http://h.org/a;x/b;y?q=/z#f/g http://u@h.org/x file:///a/b
    http://h.org?x=1 http://h.org#z http://h.org/a/.b/c //h.org/a http://[ a/b
    """.split()


@given(
    st.sampled_from(BASES),
    st.lists(st.sampled_from([*ADDRESS_PARTS, " ", "\t"]), max_size=7),
)
def test_addresses_resolve_as_the_standard_library_resolves_them(
    base: str, parts: list[str]
) -> None:
    href = "".join(parts)
    try:
        expected = urljoin(base, href)
    except ValueError:
        expected = None
    assert resolve(base, href) == expected


ODD_ADDRESSES = st.lists(
    st.sampled_from(
        [
            *"/ // . .. a Ab - _ ~ ? & = %20 % : # ; ' @ | :80 :8080 :0080".split(),
            *("http://", "https://shop.example", "http://a--b.c1", "http://1.2"),
            *("http://X.example", "index.html", " ", "\t", "\u00e9"),
        ]
    ),
    max_size=7,
)
ODD_BASES = st.sampled_from(
    [None, "http://food.example/", "https://food.example:8080/a/b.html?c=d#e", "x:"]
)


@given(ODD_ADDRESSES, ODD_BASES)
def test_plain_addresses_are_asked_for_as_all_others(
    parts: list[str], base: str | None
) -> None:
    """The short way for plain addresses gives what taking them apart gives."""
    href = "".join(parts)
    found = fetchable_url(href, base)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(urls, "_FETCHABLE", re.compile("(?!)"))
        assert found == fetchable_url(href, base)
