"""Namazu: a page in ISO-8859-1, numbered definition lists, the query marked inside
titles.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from .gateway import Program
from .real import Item, rows_of, run_tool
from .serving import Server, Site

CGI = "/usr/lib/cgi-bin/namazu.cgi"
PACKAGES = ("aptitude-doc-en", "debian-faq")  # the indexer is slow
PAGE = 20


class Namazu:
    name = "namazu"
    programs: Mapping[str, str] = {
        CGI: "namazu2",
        "/usr/bin/mknmz": "namazu2-index-tools",
    }
    home = "/cgi-bin/namazu.cgi"

    def build(self, folder: Path, corpus: Path) -> None:
        (folder / "index").mkdir()
        run_tool(
            "mknmz",
            "--quiet",
            f"--output-dir={folder / 'index'}",
            *(corpus / package for package in PACKAGES),
        )
        (folder / "index" / "NMZ.result.truth").write_text("${uri}\t${title}\n")
        settings = f"Index {folder}/index\nTemplate {folder}/index\nReplace {corpus}/ /docs/\nLang C\n"
        (folder / "namazurc").write_text(settings)

    def routes(
        self, folder: Path, corpus: Path, server: Server
    ) -> Mapping[str, Program | Path | Site]:
        return {
            self.home: Program((CGI,), folder, {"NAMAZURC": str(folder / "namazurc")}),
            "/docs/": corpus,
        }

    def truth(self, folder: Path, query: str, page: int, base: str) -> list[Item]:
        options = [
            f"--config={folder / 'namazurc'}",
            "--result=truth",
            f"--max={PAGE}",
            f"--whence={page * PAGE}",
        ]
        found = run_tool("namazu", *options, "--quiet", query, folder / "index")
        return [Item(title, urljoin(base, link)) for link, title in rows_of(found)]

    def key(self, url: str) -> str:
        return urlsplit(url).path
