"""Machines that are not public are asked for nothing, unless that is allowed: by name,
by number, by redirect, by who answers.
"""

from __future__ import annotations

import socket

import pytest

from loopback import Loopback
from scythe.engines.asking.sender import Sender, SendOptions, sender_for
from scythe.errors import FetchError
from scythe.sources import ReadOptions
from scythe.sources.fetching import fetch
from scythe.urls import is_own_network, require_public

PUBLIC = ReadOptions(public_only=True)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost:8000/",
        "http://[::1]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://192.168.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:10.0.0.1]/",
        "http://printer.local/",
        "http://[fe80::1%25eth0]/",
    ],
)
def test_private_machines_are_refused_by_name(url: str) -> None:
    with pytest.raises(FetchError, match="--allow-private"):
        require_public(url)
    assert is_own_network(url)


def test_a_page_of_this_machine_is_fetched_only_where_that_is_allowed(
    web: Loopback,
) -> None:
    assert fetch(web.url("/mowing")).data
    asked = len(web.asked)
    with pytest.raises(FetchError, match="this machine"):
        fetch(web.url("/mowing"), PUBLIC)
    assert len(web.asked) == asked


def lead_home(monkeypatch: pytest.MonkeyPatch, *, first: str) -> list[str]:
    """Let every name lead to a public machine when it is looked up first, and to this
    one afterwards.
    """
    real, asked = socket.getaddrinfo, []

    def found(host: str, *rest: object, **more: object) -> object:
        asked.append(host)
        number = first if len(asked) == 1 else "127.0.0.1"
        return real(number if host == "public.example" else host, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return asked


def test_a_name_that_leads_to_this_machine_is_refused(
    monkeypatch: pytest.MonkeyPatch, web: Loopback
) -> None:
    lead_home(monkeypatch, first="127.0.0.1")
    with pytest.raises(FetchError, match="this machine"):
        fetch(f"http://public.example:{web.port}/mowing", PUBLIC)
    assert not web.asked


def test_a_name_that_leads_elsewhere_when_it_is_checked_gets_no_request(
    monkeypatch: pytest.MonkeyPatch, web: Loopback
) -> None:
    lead_home(monkeypatch, first="93.184.216.34")
    with pytest.raises(FetchError, match="Nothing was sent"):
        fetch(f"http://public.example:{web.port}/mowing", PUBLIC)
    assert not web.asked


def test_senders_refuse_them_too(web: Loopback) -> None:
    with (
        Sender(SendOptions(read=PUBLIC)) as sender,
        pytest.raises(FetchError, match="this machine"),
    ):
        sender.get(web.url("/mowing"))
    assert not web.asked
    with sender_for(web.url("/")) as sender:
        assert sender.get(web.url("/mowing")).status == 200
    assert sender_for("http://93.184.216.34/").options.read.public_only
