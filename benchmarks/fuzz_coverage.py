"""Every function that reads pages, on pages that lead it to code not seen before.

python -m benchmarks.fuzz_coverage [DATA] --seconds 3600 [--seed 1] [--corpus FOLDER]

Needs `pip install atheris`, which watches the branches of the library's Python code and
keeps a page that takes a new one, to be changed further. It begins with the pages of
`benchmarks.fuzz_parser`, and calls what `benchmarks.torture` lists: the first byte of an
input chooses the function, the rest is the page. An exception that is no `ScytheError`
is printed with its page. `--seconds` are of CPU; with `--corpus` the pages that were
found interesting are kept, and the next run goes on from there. The counts of every seed
are kept: docs/benchmarks.md has their sum.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["scythe"], enable_loader_override=False):
    from benchmarks.fuzz_counts import Kind, Run, shown
    from benchmarks.fuzz_parser import Pages
    from benchmarks.torture.functions import FUNCTIONS
    from benchmarks.torture.trial import MAX_SECONDS, timed_calls

SEEDS = 160
LONGEST = 8_192
"""Bytes of a page."""
NAMES = tuple(FUNCTIONS)
KIND = Kind(
    "fuzz_coverage",
    "All functions on pages that lead to code not seen before",
    ("calls", "foreign errors", "too long"),
)


class Fuzzing:
    """The calls of one run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._found: set[str] = set()

    def call(self, data: bytes) -> None:
        """Call a function with a page; end the process when the time is over."""
        if not data:
            return
        function = NAMES[data[0] % len(NAMES)]
        html = data[1:].decode("utf-8", "surrogateescape")
        found = timed_calls(html, function)
        self._run.counts["calls"] += 1
        if found["error"]:
            self._tell("foreign errors", f"{function}: {found['error']}", html)
        if float(str(found["seconds"])) > MAX_SECONDS:
            self._tell("too long", f"{function}: {found['call']}", html)
        if not self._run.goes_on():
            self.end()

    def _tell(self, kind: str, what: str, html: str) -> None:
        self._run.counts[kind] += 1
        if what not in self._found:
            self._found.add(what)
            print(f"{what}: {html!r}", flush=True)

    def end(self) -> None:
        """Print what was counted; the fuzzer knows no other end than the process's."""
        print(shown(self._run.counts), flush=True)
        os._exit(bool(self._found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, help="a folder of pages")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="a folder to keep pages in")
    options = parser.parse_args()
    corpus = options.corpus or Path(tempfile.mkdtemp(prefix="scythe-fuzz-"))
    _add_seeds(corpus, Pages(options.data, options.seed))
    fuzzing = Fuzzing(Run(KIND, options.seed, options.seconds))
    arguments = [f"-max_len={LONGEST}", f"-seed={options.seed}", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *arguments, str(corpus)], fuzzing.call)
    atheris.Fuzz()


def _add_seeds(corpus: Path, pages: Pages) -> None:
    """Write pages for every function."""
    corpus.mkdir(exist_ok=True)
    for number in range(SEEDS):
        page = pages.draw().text.encode("utf-8", "replace")[: LONGEST - 1]
        name = corpus / f"seed{number}"
        name.write_bytes(bytes([number % len(NAMES)]) + page)


if __name__ == "__main__":
    main()
