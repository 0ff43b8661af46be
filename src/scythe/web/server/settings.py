"""How the app is served: from where it can be reached, by which names, and with which
token.
"""

from __future__ import annotations

import ipaddress
import secrets
from dataclasses import dataclass, field

PORT = 8377
"""The default port; nothing well known uses it."""
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True)
class Settings:
    """The options of `scythe serve`."""

    host: str = "127.0.0.1"
    port: int = PORT
    token: str | None = field(default=None, repr=False)
    """What a visitor must know; always there when the app can be reached from other
    machines.
    """
    names: tuple[str, ...] = ()
    """Names besides its addresses by which browsers may call the app."""
    tls: bool = False
    allow_private: bool = False
    """Whether pages of this machine and its network may be fetched."""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """What forms are signed with, new with every start."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the app."""
        return is_loopback(self.host)

    def answers_to(self, name: str) -> bool:
        """Return whether a Host header's name is one of ours. A page elsewhere that has its
        own name point here is not let in.
        """
        name = name.lower()
        if name in _LOOPBACK_NAMES or name in self.names:
            return True
        if name == self.host.lower():
            return True
        return not self.is_local and is_address(name.strip("[]"))


def is_loopback(host: str) -> bool:
    """Return whether an address to listen on can be reached from this machine only."""
    return host == "localhost" or (
        is_address(host) and ipaddress.ip_address(host).is_loopback
    )


def is_address(host: str) -> bool:
    """Return whether a host is an IP address and no name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
