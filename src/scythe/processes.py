"""Worker processes that leave nothing behind: each has a pipe of its own, and ends when
the process that started it does.

The standard library's process pool gives up on everything when one worker dies, and can
wait for ever for one that was ended while it sent its result. A worker with a pipe of
its own shows its death as the end of that pipe.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from types import ModuleType
from typing import Any


def worker_context(preload: str) -> BaseContext:
    """Return how workers are started: from a fork server that has loaded a module once,
    so that each starts at once.

    Unlike a fork of this process, the fork server has no threads whose locks a child
    could inherit.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([preload])
    return context


class WorkerProcess:
    """A process that runs a function over a pipe: `serve(pipe, *arguments)`.

    The script of the caller is not run again in it, so a script needs no `__main__`
    guard; `with_main_module` is for arguments that are defined in that script.
    """

    def __init__(
        self,
        context: BaseContext,
        serve: Callable[..., None],
        *arguments: Any,
        with_main_module: bool = False,
    ) -> None:
        self.pipe, child_pipe = context.Pipe()
        self._process = context.Process(  # type: ignore[attr-defined]
            target=_run, args=(serve, child_pipe, *arguments), daemon=True
        )
        with nullcontext() if with_main_module else _hidden_main_module():
            self._start()
        child_pipe.close()

    def _start(self) -> None:
        """Start the process; once more where the server that forks it was killed just
        then, in whose stead there is a new one.
        """
        try:
            self._process.start()
        except EOFError:
            self._process.start()

    @property
    def pid(self) -> int:
        """Its number in the system."""
        return int(self._process.pid)

    def terminate(self) -> None:
        """Ask it to end, from any thread; whoever reads its pipe sees that it has."""
        self._process.terminate()

    def end(self) -> None:
        """End it at once, whatever it is doing."""
        self.pipe.close()
        self._process.terminate()
        self._process.join()

    def kill(self) -> int:
        """End it at once, even where it no longer listens; return the code it ended
        with, that of a signal below 0.
        """
        self.pipe.close()
        self._process.kill()
        self._process.join()
        return int(self._process.exitcode or 0)


_main_module_lock = threading.Lock()


@contextmanager
def _hidden_main_module() -> Iterator[None]:
    """Keep `multiprocessing` from importing the caller's script in a child."""
    with _main_module_lock:
        main_module = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main_module


def _run(
    serve: Callable[..., None], pipe: Connection[object, object], *arguments: Any
) -> None:
    """Leave Ctrl-C to the main process, which ends its workers, and never outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="scythe parent", daemon=True).start()
    serve(pipe, *arguments)


def _end_with_parent() -> None:
    """End at once when the process that asked for this one is gone, however that ended.

    The fork server is no sign of that: it lives as long as any worker does.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1
