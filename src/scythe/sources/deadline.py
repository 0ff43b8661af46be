"""One deadline for a whole download.

An HTTP client's timeouts bound single operations: a server that sends one byte every
few seconds, or a compressed stream that never decodes to anything, keeps each within
its bound for ever. So the connection's socket is shut at the deadline, which wakes
whatever waits on it. One thread of the process looks after all deadlines: a thread for
each would double those of many searches at once.
"""

from __future__ import annotations

import contextlib
import math
import os
import socket
import threading
import time
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
        self._seconds = seconds
        self._is_over = False

    def __enter__(self) -> Deadline:
        _WATCH.add(self, self._seconds)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _WATCH.remove(self)
        with self._lock:
            self._is_over = True

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

    def expire(self) -> None:
        """Shut the connection, if what it was for is not over."""
        with self._lock:
            if not self._is_over:
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


class _Watch:
    """Lets deadlines expire, each in its time."""

    def __init__(self) -> None:
        self.start_anew()

    def start_anew(self) -> None:
        """Forget all: the thread that looked after them is not in a forked process."""
        self._changed = threading.Condition()
        self._moments: dict[Deadline, float] = {}
        self._next_look = math.inf
        self._is_running = False

    def add(self, deadline: Deadline, seconds: float) -> None:
        """Let a deadline expire after some seconds."""
        moment = time.monotonic() + min(seconds, threading.TIMEOUT_MAX)
        with self._changed:
            self._moments[deadline] = moment
            if not self._is_running:
                self._is_running = True
                thread = threading.Thread(
                    target=self._run, name="scythe deadlines", daemon=True
                )
                thread.start()
            elif moment < self._next_look:
                self._changed.notify()

    def remove(self, deadline: Deadline) -> None:
        """Let a deadline no longer expire; the next look finds it gone."""
        with self._changed:
            self._moments.pop(deadline, None)

    def _run(self) -> None:
        while True:
            for deadline in self._wait_for_passed():
                deadline.expire()

    def _wait_for_passed(self) -> list[Deadline]:
        """Return deadlines that have passed, once there are some."""
        with self._changed:
            while True:
                now = time.monotonic()
                moments = self._moments
                waiting = moments.items()
                passed = [one for one, moment in waiting if moment <= now]
                if passed:
                    for deadline in passed:
                        del moments[deadline]
                    return passed
                self._next_look = min(moments.values(), default=math.inf)
                seconds = min(self._next_look - now, threading.TIMEOUT_MAX)
                self._changed.wait(seconds)


_WATCH = _Watch()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_WATCH.start_anew)
