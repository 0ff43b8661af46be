"""A method for tests that does to a worker what pages could do to any: loops, eats
memory, dies.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from scythe.bulk import BulkOptions, Documents, InputOptions, run
from scythe.content.methods.coreex import coreex
from scythe.content.selection import Selection
from scythe.tree import Tree


def hostile(tree: Tree) -> Selection:
    """CoreEx, unless the page says what it is out to do."""
    text = "".join(tree.text.tolist())
    if "LOOP" in text:
        while True:
            pass
    if "EAT SLOWLY" in text:
        eaten = []
        while True:
            eaten.append(bytearray(b"x" * 10_000_000))
    if "EAT AT ONCE" in text:
        bytearray(b"x") * 10_000_000_000
    if "CRASH" in text:
        os.abort()
    if "FAULT" in text:
        raise KeyError("straw")
    if "KILLED ONCE" in text:
        mark = Path(text.split()[-1])
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    if "KILLED ALWAYS" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    return coreex(tree)


def slowly(tree: Tree) -> Selection:
    """CoreEx at a pace at which a test can follow."""
    time.sleep(0.02)
    return coreex(tree)


def main() -> None:
    """Run over a file, in partitions of a few pages: `python -c "import hostile_method;
    hostile_method.main()" IN OUT`.
    """
    options = BulkOptions(
        workers=2, timings=False, inputs=InputOptions(partition_bytes=6000)
    )
    run([sys.argv[1]], sys.argv[2], Documents(method=slowly), options)
