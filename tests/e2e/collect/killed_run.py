"""Runs a collection in a process that may be killed: `python killed_run.py DATABASE
NAME`.
"""

from __future__ import annotations

import sys

from scythe.collect.collection import Collection

if __name__ == "__main__":
    with Collection.open(sys.argv[2], db=sys.argv[1]) as collection:
        print("begin", flush=True)
        collection.run(refetch_all=True)
        print("end", flush=True)
