"""Engines of code: what was changed, when, and by whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from engines.gateway import Gateway, Program
from engines.serving import Site

from benchmarks.live.documents import Document
from benchmarks.live.launching import Command, free_port, run, served

_GITWEB = Path("/usr/share/gitweb")


class _Commits:
    """Engines whose documents are commits, known by the hash of each."""

    kind = "code"

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""
        for name in re.findall(r"[0-9a-f]{10,64}", url):
            for commit, number in self._numbers.items():
                if commit.startswith(name):
                    return number
        return None


class Gitweb(_Commits):
    """gitweb: a table of commits, the message marked where it has the word."""

    name = "gitweb"
    home = "/gitweb?p=docs.git;a=summary"
    needs: Mapping[str, str] = {str(_GITWEB / "gitweb.cgi"): "gitweb"}

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        bare = folder / "docs.git"
        run(["git", "init", "-q", "--bare", "-b", "main", bare], folder)
        stream = "".join(_fast_import(document) for document in documents)
        run(["git", "-C", bare, "fast-import", "--quiet"], folder, text=stream)
        listing = run(["git", "-C", bare, "log", "--format=%H %s", "main"], folder)
        for line in listing.splitlines():
            commit, _, title = line.partition(" ")
            self._numbers[commit] = int(title.rpartition(" ")[2])
        (folder / "gitweb.conf").write_text(f'$projectroot = "{folder}";\n')
        settings = {
            "GITWEB_CONFIG": str(folder / "gitweb.conf"),
            "SCRIPT_FILENAME": str(_GITWEB / "gitweb.cgi"),
            "HOME": str(folder),
        }
        program = Program((str(_GITWEB / "gitweb.cgi"),), folder, settings)
        yield Gateway({"/gitweb": program, "/static/": _GITWEB / "static"})


def _fast_import(document: Document) -> str:
    seconds = int(document.written.timestamp())
    who = f"{document.author} <{document.mail}> {seconds} +0000"
    message = f"{document.title}\n\n{document.text}\n"
    return (
        f"commit refs/heads/main\nauthor {who}\ncommitter {who}\n"
        f"data {len(message.encode())}\n{message}"
        f"M 644 inline {document.slug}.txt\n"
        f"data {len(document.text.encode())}\n{document.text}\n"
    )


class Hgweb(_Commits):
    """hgweb: a log of changes behind one search box."""

    name = "hgweb"
    home = "/"
    needs: Mapping[str, str] = {"/usr/bin/hg": "mercurial"}

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        repository = folder / "docs"
        hg: Command = ["/usr/bin/hg", "-R", repository]
        run(["/usr/bin/hg", "init", repository], folder)
        patches = folder / "patches"
        patches.mkdir()
        files = []
        for document in documents:
            file = patches / f"{document.slug}.patch"
            file.write_text(_hg_patch(document))
            files.append(file)
        run([*hg, "import", "-q", "--bypass", *files[:1]], folder)
        for file in files[1:]:
            run([*hg, "import", "-q", "--bypass", file], folder)
        listing = run([*hg, "log", "-T", "{node} {desc|firstline}\\n"], folder)
        for line in listing.splitlines():
            node, _, title = line.partition(" ")
            self._numbers[node] = int(title.rpartition(" ")[2])
        port = free_port()
        command: Command = [*hg, "serve", "-a", "127.0.0.1", "-p", str(port)]
        with served(command, port, folder) as site:
            yield site


def _hg_patch(document: Document) -> str:
    seconds = int(document.written.timestamp())
    return (
        f"# HG changeset patch\n# User {document.author} <{document.mail}>\n"
        f"# Date {seconds} 0\n{document.title}\n\n{document.text}\n\n"
        f"diff --git a/{document.slug}.txt b/{document.slug}.txt\nnew file mode 100644\n"
        f"--- /dev/null\n+++ b/{document.slug}.txt\n@@ -0,0 +1,1 @@\n+{document.text}\n"
    )


class Fossil:
    """Fossil: documentation, changes and tickets in one search."""

    name = "fossil"
    kind = "wiki"
    home = "/wcontent"
    needs: Mapping[str, str] = {"/usr/bin/fossil": "fossil"}

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        repository = folder / "docs.fossil"
        user = {"USER": "ada", "FOSSIL_HOME": str(folder)}
        run(["fossil", "init", "--admin-user", "ada", repository], folder, user)
        for document in documents:
            page = f"{document.title}\n\n{document.text}\n"
            command: Command = [
                "fossil",
                "wiki",
                "create",
                document.title,
                "-R",
                repository,
            ]
            run(command, folder, user, page)
        run(["fossil", "fts-config", "enable", "w", "-R", repository], folder, user)
        run(["fossil", "fts-config", "index", "on", "-R", repository], folder, user)
        port = free_port()
        command = ["fossil", "server", "--localhost", "--port", str(port), repository]
        with served(command, port, folder, user) as site:
            yield site

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""
        found = re.search(r"part(?:\+|%20|_| )(\d+)", url)
        return int(found[1]) if found else None
