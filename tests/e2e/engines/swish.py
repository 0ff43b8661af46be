"""Swish-e: a CGI script in Perl, paragraphs as records, links of pages beside a form
with many choices.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from .gateway import Program
from .real import Item, rows_of, run_tool
from .serving import Server, Site

CGI = "/usr/lib/swish-e/swish.cgi"
PAGE = 15

INDEXING = """\
IndexDir {corpus}
IndexOnly .html
IndexFile {folder}/index
DefaultContents HTML*
StoreDescription HTML* <body> 2000
MetaNames swishtitle swishdocpath
ReplaceRules replace "{corpus}/" "/docs/"
ParserWarnLevel 0
"""


class Swish:
    name = "swish"
    programs: Mapping[str, str] = {
        CGI: "swish-e",
        "/usr/share/perl5/CGI.pm": "libcgi-pm-perl",
    }
    home = "/cgi-bin/swish.cgi"

    def build(self, folder: Path, corpus: Path) -> None:
        (folder / "indexing").write_text(INDEXING.format(folder=folder, corpus=corpus))
        run_tool("swish-e", "-v", "0", "-c", folder / "indexing")
        settings = f"swish_binary => '/usr/bin/swish-e', swish_index => '{folder}/index', page_size => {PAGE}"
        (folder / ".swishcgi.conf").write_text(
            f"return {{ title => 'Search the documents', {settings} }};"
        )

    def routes(
        self, folder: Path, corpus: Path, server: Server
    ) -> Mapping[str, Program | Path | Site]:
        return {
            self.home: Program(("perl", "-I", str(folder), CGI), folder),
            "/docs/": corpus,
        }

    def truth(self, folder: Path, query: str, page: int, base: str) -> list[Item]:
        options = [
            "-f",
            str(folder / "index"),
            "-b",
            str(page * PAGE + 1),
            "-m",
            str(PAGE),
            "-x",
            r"%p\t%t\n",
            "-H",
            "0",
        ]
        order = ["-s", "swishrank", "desc", "swishlastmodified", "desc"]
        found = run_tool(
            "swish-e", *options, *order, "-w", query, fine=(0, 1), charset="latin-1"
        )  # 1: no results
        return [Item(title, urljoin(base, link)) for link, title in rows_of(found)]

    def key(self, url: str) -> str:
        return urlsplit(url).path
