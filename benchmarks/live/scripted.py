"""Engines in the reader's browser: an index and scripts, no server that searches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from engines.gateway import Gateway
from engines.serving import Asked, Reply, Site

from benchmarks.live.documents import Document
from benchmarks.live.launching import run, with_package


class BuiltSite:
    """Sites that are built in a theme, and served as files.

    Their scripts look for the names of their own theme, so that a page with other names
    finds nothing in any browser: a new theme is another one of the program's.
    """

    kind = "script-built"
    home = "/"
    needs: Mapping[str, str] = {}
    themes: tuple[str, str]
    """The theme that the engine is discovered in, and the one it changes to."""

    def build(
        self, folder: Path, documents: Sequence[Document], theme: str = ""
    ) -> Path:
        """Build the site in a theme and return its folder."""
        raise NotImplementedError

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        yield self._files(self.build(folder, documents, self.themes[0]))

    def in_new_theme(self, folder: Path, documents: Sequence[Document]) -> Site:
        """Build the site again in its other theme, and give what answers for it."""
        again = folder / "again"
        again.mkdir()
        return self._files(self.build(again, documents, self.themes[1]))

    def _files(self, built: Path) -> Site:
        files = Gateway({"/": built})

        def site(asked: Asked) -> Reply:
            path = asked.path
            if path.endswith("/") and (built / path[1:] / "index.html").is_file():
                page = (built / path[1:] / "index.html").read_bytes()
                return Reply(page)
            return files(asked)

        return site

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""
        found = re.search(r"/doc-(\d+)(?:\.html|/)", url)
        return int(found[1]) if found else None


class Sphinx(BuiltSite):
    """Sphinx: a form whose result page is filled by scripts, one result at a time."""

    name = "sphinx"
    themes = ("alabaster", "nature")

    def build(
        self, folder: Path, documents: Sequence[Document], theme: str = ""
    ) -> Path:
        """Build the site in a theme and return its folder."""
        source = folder / "source"
        source.mkdir()
        settings = (
            f'project = "Docs"\nhtml_copy_source = False\nhtml_theme = "{theme}"\n'
        )
        (source / "conf.py").write_text(settings)
        names = ""
        for document in documents:
            line = "=" * len(document.title)
            page = f"{document.title}\n{line}\n\n{document.text}\n"
            (source / f"{document.slug}.rst").write_text(page)
            names += f"   {document.slug}\n"
        index = f":nosearch:\n\nDocs\n====\n\n.. toctree::\n   :maxdepth: 1\n\n{names}"
        (source / "index.rst").write_text(index)
        command = [*with_package("sphinx"), "sphinx-build", "-q", "-b", "html"]
        run([*command, source, folder / "site"], folder)
        return folder / "site"


class MkDocs(BuiltSite):
    """Material for MkDocs: a box in the header; what is typed is found at once, and
    sent nowhere.
    """

    name = "mkdocs-material"
    themes = ("material", "readthedocs")

    def build(
        self, folder: Path, documents: Sequence[Document], theme: str = ""
    ) -> Path:
        """Build the site in a theme and return its folder."""
        source = folder / "docs"
        source.mkdir()
        look = f"theme:\n  name: {theme}\n  font: false\n"
        settings = f"site_name: Docs\n{look}plugins: [search]\n"
        (folder / "mkdocs.yml").write_text(settings)
        lines = "---\nsearch:\n  exclude: true\n---\n\n# Docs\n\n"
        for document in documents:
            page = f"# {document.title}\n\n{document.text}\n"
            (source / f"{document.slug}.md").write_text(page)
            lines += f"- [{document.title}]({document.slug}.md)\n"
        (source / "index.md").write_text(lines)
        run([*with_package("mkdocs-material"), "mkdocs", "build", "-q"], folder)
        return folder / "site"
