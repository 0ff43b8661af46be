"""One deadline for a whole download.

An HTTP client's timeouts bound single operations: a server that sends one byte every
few seconds, or a compressed stream that never decodes to anything, keeps each within
its bound for ever. So a timer shuts the connection's socket, which wakes whatever waits
on it.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from scythe.errors import FetchError
from scythe.urls import goes_through_proxy, is_private, private_machine_message


class Deadline:
    """A context in which the last socket that `trace` was given is shut after some
    seconds.

    With `public_only` a connection to a machine that is not public is broken off before
    anything is sent: names are looked up again for each connection, and may lead
    elsewhere than when they were checked.
    """

    def __init__(self, seconds: float, *, public_only: bool = False) -> None:
        self.passed = False
        self._public_only = public_only and not goes_through_proxy()
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember each new connection; a callback for the client's `trace` extension."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        stream = info["return_value"]
        with self._lock:
            self._socket = stream.get_extra_info("socket")
            if self.passed:
                self._shut()

        if self._public_only:
            _require_public_peer(stream)

    def _expire(self) -> None:
        with self._lock:
            self.passed = True
            self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # The plain socket's method: the TLS one would also take the cipher away
                # from the thread that is reading.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _require_public_peer(stream: Any) -> None:
    """Close a connection to a machine that is not public, and refuse it."""
    peer = str(stream.get_extra_info("server_addr")[0])
    if is_private(peer):
        stream.close()
        raise FetchError(f"Nothing was sent: {private_machine_message(peer)}")
