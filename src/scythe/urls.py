"""Which machines are public, and which are this one or its neighbours, whom no page may
send us to.
"""

from __future__ import annotations

import re
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit
from urllib.request import getproxies

from scythe.errors import FetchError

_INNER = (".localhost", ".local", ".internal", ".lan", ".home.arpa")


def require_public(url: str) -> None:
    """Refuse an address of a private machine: by its name, and by what the name leads
    to.
    """
    host = host_of(url)
    if is_private(host) or resolves_to_private(host):
        raise FetchError(f"Cannot fetch {url}: {private_machine(host or 'its host')}")


def private_machine(host: str) -> str:
    """Why a host is not asked."""
    return f"{host} is this machine or one of its network. Allow that first (--allow-private)."


def host_of(url: str) -> str:
    """The host of an address, empty where it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_private(host: str) -> bool:
    """Whether a name or number is of this machine or of a network that is not public."""
    host = host.strip("[]").rstrip(".").casefold()
    if host in ("localhost", "") or host.endswith(_INNER):
        return True
    number = _number(host)
    return number is not None and not _is_public(number)


def resolves_to_private(host: str) -> bool:
    """Whether the name of a host leads to a machine that is not public, by any of its
    addresses.
    """
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return any(
        not _is_public(ip_address(str(entry[4][0]).partition("%")[0]))
        for entry in found
    )


def is_own_network(url: str) -> bool:
    """Whether an address is of this machine or its network."""
    host = host_of(url)
    return is_private(host) or resolves_to_private(host)


def goes_through_proxy() -> bool:
    """Whether this machine reaches the web through another, which then is all that
    answers.
    """
    return bool({"http", "https", "all"} & getproxies().keys())


def _number(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is written as, also in the old ways (`0x7f.1`,
    `2130706433`) that systems still take.
    """
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        pass
    if re.fullmatch(r"[0-9a-fx.]+", host) and host[:1].isdigit():
        try:
            return IPv4Address(socket.inet_aton(host))
        except OSError:
            return None
    return None


def _is_public(number: IPv4Address | IPv6Address) -> bool:
    mapped = getattr(number, "ipv4_mapped", None) or getattr(number, "sixtofour", None)
    return (
        number.is_global
        and not number.is_multicast
        and (mapped is None or mapped.is_global)
    )
