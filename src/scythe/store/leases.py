"""Leases: while a process has one, no other works on the same collection.

A lease names the process that has it, so that others can find out whether that process
has ended, and need not wait until the lease runs out.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path


def this_process() -> str:
    """Return the name of this process: host, process id, and start time, because
    process ids are used again.
    """
    process_id = os.getpid()
    return f"{socket.gethostname()}/{process_id}/{_start_time(process_id)}"


def has_ended(holder: str) -> bool:
    """Return whether the process of that name has certainly ended. Of other hosts (and
    on Windows, where asking would end it) nobody knows: the lease must run out.
    """
    process, _, start_time = holder.rpartition("/")
    host, _, process_id = process.rpartition("/")
    is_elsewhere = host != socket.gethostname() or sys.platform == "win32"
    if is_elsewhere or not process_id.isdecimal():
        return False
    try:
        os.kill(int(process_id), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return start_time != _start_time(int(process_id))


def is_running(holder: str) -> bool:
    """Return whether the process of that name certainly runs on this machine: then no
    clock takes its lease away.
    """
    process, _, start_time = holder.rpartition("/")
    host, _, process_id = process.rpartition("/")
    is_elsewhere = host != socket.gethostname()
    if is_elsewhere or not process_id.isdecimal() or not start_time:
        return False
    return start_time == _start_time(int(process_id))


def _start_time(process_id: int) -> str:
    """Return when a process was started, in the system's own count; an empty text where
    the system does not say, or the process has ended and is not yet cleaned up.
    """
    try:
        status = Path(f"/proc/{process_id}/stat").read_text(
            encoding="utf-8", errors="replace"
        )
    except OSError:
        return ""
    _, _, after_name = status.rpartition(")")
    state, *numbers = after_name.split()
    if state == "Z":
        return ""
    return numbers[18]
