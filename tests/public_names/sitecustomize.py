"""Pretend-public mode: names under `.example` lead to a public address, and who
connects to it is led to this machine.

Python loads this file by itself where its folder is on PYTHONPATH, so that every
process that a command starts is in the mode, too. Nothing of Scythe knows of it: all
its checks run as they do on the public web, and see a public address wherever they
look. Users cannot switch it on, for it is not in the package; and whoever can set
PYTHONPATH can run any program anyway. `PRETEND_TLS_PORT` is where connections to the
port of https are led.
"""

from __future__ import annotations

import os
import socket
from typing import Any
from weakref import WeakSet

PUBLIC = "93.184.216.34"
"""The address that pretends: any public one would do, for nothing is ever sent there."""
PRIVATE = {"inside.example": "10.0.0.1"}
"""Names that lead to a private machine, as some of the public web do."""

_PORTS = {443: int(os.environ.get("PRETEND_TLS_PORT", "443"))}
_lookup, _lookup_one = socket.getaddrinfo, socket.gethostbyname
_connect, _connect_ex = socket.socket.connect, socket.socket.connect_ex
_peer = socket.socket.getpeername
_led_here: WeakSet[socket.socket] = WeakSet()


def _number(host: Any) -> Any:
    """Return the address of a name of the mode, and anything else as it is."""
    name = host.decode("ascii") if isinstance(host, bytes) else host
    if isinstance(name, str) and name.endswith(".example"):
        return PRIVATE.get(name, PUBLIC)
    return host


def _target(connection: socket.socket, address: Any) -> Any:
    """Return where a connection goes; one to a private machine would leave this one,
    and fails.
    """
    if not isinstance(address, tuple):
        return address
    host = _number(address[0])
    if host in PRIVATE.values():
        raise OSError(f"the test tried to reach {host}")
    if host != PUBLIC:
        return address
    _led_here.add(connection)
    return "127.0.0.1", _PORTS.get(address[1], address[1])


def getaddrinfo(host: Any, *arguments: Any, **named: Any) -> Any:
    return _lookup(_number(host), *arguments, **named)


def gethostbyname(host: Any) -> str:
    return _lookup_one(_number(host))


def connect(self: socket.socket, address: Any) -> None:
    _connect(self, _target(self, address))


def connect_ex(self: socket.socket, address: Any) -> int:
    return _connect_ex(self, _target(self, address))


def getpeername(self: socket.socket) -> Any:
    peer = _peer(self)
    is_led = self in _led_here or peer[1:2] == (_PORTS[443],)  # TLS wraps the socket
    return (PUBLIC, *peer[1:]) if is_led else peer


socket.getaddrinfo = getaddrinfo
socket.gethostbyname = gethostbyname
socket.socket.connect = connect  # type: ignore[assignment, method-assign]
socket.socket.connect_ex = connect_ex  # type: ignore[assignment, method-assign]
socket.socket.getpeername = getpeername  # type: ignore[assignment, method-assign]
