"""A proxy on loopback by which the browser reaches public machines only.

What a page, its frames, its scripts, its redirects and its WebSockets ask for all goes
through a proxy, so that one place decides, and it decides about the very address that is
connected to: a name that leads elsewhere a moment later gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from scythe.urls import is_private, is_public_number

_MAX_HEAD = 65_536
"""Bytes of a request's head: a bound, more than browsers send."""
_CONNECT_SECONDS = 15.0
"""A bound on waiting, not tuned."""
_CHUNK = 65_536
_HOP_HEADERS = (b"proxy-", b"connection:")
"""What a head says to the proxy alone."""
_REFUSED = b"HTTP/1.1 403 Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_UNREACHABLE = _REFUSED.replace(b"403 Refused", b"502 Unreachable")
_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"


class _Target(NamedTuple):
    """Where a request goes, and what is sent there first."""

    host: str
    port: int
    head: bytes


class PublicProxy:
    """A running proxy. Its work is done by the loop that started it."""

    def __init__(self, server: asyncio.Server) -> None:
        self._server = server

    @classmethod
    async def start(cls) -> Self:
        """Return a proxy on a free port of this machine."""
        server = await asyncio.start_server(
            _serve, "127.0.0.1", 0, limit=_MAX_HEAD, start_serving=True
        )
        return cls(server)

    @property
    def url(self) -> str:
        """Where the browser finds it."""
        port = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def close(self) -> None:
        """Take no more requests."""
        self._server.close()


async def _serve(
    browser_reader: asyncio.StreamReader, browser_writer: asyncio.StreamWriter
) -> None:
    """Lead one connection of the browser to where it wants, if that is public."""
    try:
        head = await browser_reader.readuntil(b"\r\n\r\n")
        target = _read_target(head)
        address = await _public_address(target)
        if address is None:
            browser_writer.write(_REFUSED)
            return
        try:
            reader, writer = await asyncio.wait_for(
                asyncio.open_connection(*address), _CONNECT_SECONDS
            )
        except (OSError, TimeoutError):
            browser_writer.write(_UNREACHABLE)
            return
        if target.head:
            writer.write(target.head)
        else:
            browser_writer.write(_ESTABLISHED)
        await asyncio.gather(
            _pipe(browser_reader, writer), _pipe(reader, browser_writer)
        )
    except (
        OSError,
        ValueError,
        asyncio.IncompleteReadError,
        asyncio.LimitOverrunError,
    ):
        return
    finally:
        browser_writer.close()


def _read_target(head: bytes) -> _Target:
    """Return where a request to the proxy goes; raise ValueError for what is none."""
    request_line, *headers = head.split(b"\r\n")
    method, address, version = request_line.split(b" ", 2)
    if method == b"CONNECT":
        parts = urlsplit(f"//{address.decode('ascii')}")
        return _Target(parts.hostname or "", parts.port or 443, b"")

    parts = urlsplit(address.decode("ascii"))
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError("The proxy is asked for no page.")
    inside = parts._replace(scheme="", netloc="", fragment="")
    path = inside.geturl() or "/"
    kept = [line for line in headers if not line.lower().startswith(_HOP_HEADERS)]
    first = b" ".join([method, path.encode("ascii"), version])
    lines = [first, b"Connection: close", *kept]
    request = b"\r\n".join(lines)
    return _Target(parts.hostname, parts.port or 80, request)


async def _public_address(target: _Target) -> tuple[str, int] | None:
    """Return the number to connect to; None where the host is not public, by its name
    or by any of its numbers.
    """
    if is_private(target.host):
        return None
    loop = asyncio.get_running_loop()
    entries = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    numbers = [str(entry[4][0]) for entry in entries]
    if not numbers or not all(map(is_public_number, numbers)):
        return None
    return numbers[0], target.port


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send on what comes, until no more does."""
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
    writer.close()
