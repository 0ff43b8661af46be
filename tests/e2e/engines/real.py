"""What all real engines have in common, so that tests and benchmarks can take one after
the other.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .corpus import copy_corpus, missing_documents
from .gateway import Gateway, Program
from .serving import Server, Site, no_such_page

# Words and phrases of Debian's manuals with few to many results; tests ask those that
# were not used to learn.
QUERIES = (
    "bug", "conffile", "mirror", "kernel", "upload", "license", "debconf", "udeb", "virtual package", "shared library",
    "mailing list", "pinning", "resolver", "obsolete", "maintainer scripts", "init", "changelog", "security", "locale", "menu",
)  # fmt: skip


@dataclass(frozen=True)
class Item:
    """One result, as the engine's own machine interface gives it."""

    title: str
    url: str


def plain(title: str) -> str:
    """A title by its ASCII letters and digits: some engines take UTF-8 for ISO-8859-1,
    which is theirs to mend.
    """
    return " ".join(re.findall(r"[A-Za-z0-9]+", title))


class RealEngine(Protocol):
    """A search engine that Debian packages: how its index is built, how it is served,
    and what it finds by its own account.
    """

    name: str
    programs: Mapping[str, str]
    """Files the engine needs, and the package each is in."""
    home: str
    """The path of the page with the search form."""

    def build(self, folder: Path, corpus: Path) -> None:
        """Index the corpus into `folder` with the engine's own indexer."""

    def routes(
        self, folder: Path, corpus: Path, server: Server
    ) -> Mapping[str, Program | Path | Site]:
        """Where the server finds the engine and its documents."""

    def truth(self, folder: Path, query: str, page: int, base: str) -> list[Item]:
        """The results of a page (from 0) for the form's defaults, not read from any
        result page.
        """

    def key(self, url: str) -> str:
        """What two links to the same result have in common."""


@dataclass(frozen=True)
class Running:
    """A real engine that is being served."""

    engine: RealEngine
    folder: Path
    server: Server

    @property
    def url(self) -> str:
        return self.server.url(self.engine.home)

    def truth(self, query: str, page: int = 0) -> list[Item]:
        return self.engine.truth(self.folder, query, page, self.server.url(""))

    def key(self, url: str | None) -> str:
        return self.engine.key(url or "")


def missing(engine: RealEngine) -> str | None:
    """Why an engine cannot run on this machine, with the command that helps."""
    packages = {
        package for file, package in engine.programs.items() if not Path(file).exists()
    }
    packages.update(missing_documents())
    return (
        f"{engine.name} needs: apt-get install {' '.join(sorted(packages))}"
        if packages
        else None
    )


def made_once(folder: Path, make: Callable[[Path], object]) -> Path:
    """Have `folder` made by exactly one process; the others wait for it. A half-made
    folder is made anew.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder.with_suffix(".done")
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


@contextmanager
def running(engine: RealEngine, shared: Path) -> Iterator[Running]:
    """Serve an engine; its corpus and index are made in `shared` if no other process
    has done so.
    """
    corpus = made_once(shared / "corpus", copy_corpus)
    folder = made_once(shared / engine.name, lambda made: engine.build(made, corpus))
    server = Server(no_such_page)
    server.site = Gateway(engine.routes(folder, corpus, server))
    with server:
        yield Running(engine, folder, server)


def run_tool(
    *command: str | Path,
    settings: Mapping[str, str] | None = None,
    fine: tuple[int, ...] = (0,),
    charset: str = "utf-8",
) -> str:
    """Run an engine's own tool and return what it wrote; `fine` are the exit codes that
    are no failure.
    """
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **(settings or {})}
    done = subprocess.run(
        [*map(str, command)],
        env=environment,
        capture_output=True,
        check=False,
        timeout=60,
    )
    if done.returncode not in fine:
        raise RuntimeError(
            f"{command[0]} failed ({done.returncode}): {done.stderr.decode(errors='replace')[-500:]}"
        )
    return done.stdout.decode(charset, errors="replace")


def rows_of(output: str) -> Iterator[tuple[str, str]]:
    """Lines of a link, a tab and a title."""
    for line in output.splitlines():
        link, tab, title = line.partition("\t")
        if tab:
            yield link, title
