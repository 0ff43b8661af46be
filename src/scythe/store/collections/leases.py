"""Who works on something: a process, named so that others can tell whether it is still
there.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path


def this_process() -> str:
    """The name of this process: machine, number, and when it began, because numbers are
    given again.
    """
    number = os.getpid()
    return f"{socket.gethostname()}/{number}/{_beginning(number)}"


def has_ended(holder: str) -> bool:
    """Whether the process of that name has certainly ended. Of other machines (and on
    Windows, where asking would end it) nobody knows: their time must run out.
    """
    machine, _, rest = holder.rpartition("/")[0].rpartition("/")
    beginning = holder.rpartition("/")[2]
    if (
        machine != socket.gethostname()
        or not rest.isdecimal()
        or sys.platform == "win32"
    ):
        return False
    number = int(rest)
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return beginning != _beginning(number)


def _beginning(number: int) -> str:
    """When a process began, in the system's own count; empty where the system does not
    say.
    """
    try:
        told = Path(f"/proc/{number}/stat").read_text(
            encoding="utf-8", errors="replace"
        )
    except OSError:
        return ""
    state, *rest = told.rpartition(")")[2].split()
    return "" if state == "Z" else rest[18]
