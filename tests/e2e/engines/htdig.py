"""ht://Dig: a POST form with selects, definition lists full of font tags, numbered
pages as pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote_plus, urlsplit

from .gateway import Program
from .real import Item, rows_of, run_tool
from .serving import Server, Site

CGI = "/usr/lib/cgi-bin/htsearch"
FORM = "/usr/share/doc/htdig/examples/search.html"
PICTURES = "/var/lib/htdig/www"
INDEXED = "http://127.0.0.1:1/"  # where the index says the documents are; each server puts its own address there

SETTINGS = """\
include: /etc/htdig/htdig.conf
database_dir: {folder}
max_doc_size: 1000000
url_part_aliases: {site} *site
start_url: {indexed}docs/contents.html
limit_urls_to: {indexed}docs/
local_urls: {indexed}docs/={corpus}/
local_urls_only: true
"""
TRUTH = """\
template_map: Truth truth {row}
template_name: truth
search_results_header: {empty}
search_results_footer: {empty}
nothing_found_file: {empty}
"""


class HtDig:
    name = "htdig"
    programs: Mapping[str, str] = {
        CGI: "htdig",
        "/usr/bin/htdig": "htdig",
        FORM: "htdig",
    }
    home = "/search.html"

    def build(self, folder: Path, corpus: Path) -> None:
        pages = sorted(page.relative_to(corpus) for page in corpus.glob("*/*.html"))
        contents = (
            corpus / "contents.html"
        )  # a list of all pages to begin with; `noindex` keeps it out of the results
        links = "".join(f'<li><a href="{page}">{page}</a></li>' for page in pages)
        contents.write_text(
            f'<html><head><meta name="robots" content="noindex"><title>All</title></head><body>{links}</body></html>'
        )
        settings = self._settings(folder, corpus, INDEXED)
        run_tool("htdig", "-i", "-c", settings)
        run_tool("htpurge", "-c", settings)
        contents.unlink()
        (folder / "row").write_text("$(URL)\t$(TITLE)\n")
        (folder / "empty").write_text("\n")

    def routes(
        self, folder: Path, corpus: Path, server: Server
    ) -> Mapping[str, Program | Path | Site]:
        settings = self._settings(folder, corpus, server.url("/"))
        program = Program((CGI,), folder, {"CONFIG_DIR": str(settings.parent)})
        return {
            self.home: Path(FORM),
            "/cgi-bin/htsearch": program,
            "/htdig/": Path(PICTURES),
            "/docs/": corpus,
        }

    def truth(self, folder: Path, query: str, page: int, base: str) -> list[Item]:
        own = self._place(folder, f"{base}/")
        empty = folder / "empty"
        (own / "truth.conf").write_text(
            (own / "htdig.conf").read_text()
            + TRUTH.format(row=folder / "row", empty=empty)
        )
        asked = f"config=truth&format=truth&method=and&words={quote_plus(query)}&page={page + 1}"
        settings = {
            "CONFIG_DIR": str(own),
            "REQUEST_METHOD": "GET",
            "QUERY_STRING": asked,
        }
        return [
            Item(title, url) for url, title in rows_of(run_tool(CGI, settings=settings))
        ]

    def key(self, url: str) -> str:
        return urlsplit(url).path

    def _place(self, folder: Path, site: str) -> Path:
        return folder / f"settings-{urlsplit(site).port}"

    def _settings(self, folder: Path, corpus: Path, site: str) -> Path:
        place = self._place(folder, site)
        place.mkdir(exist_ok=True)
        text = SETTINGS.format(folder=folder, corpus=corpus, site=site, indexed=INDEXED)
        (place / "htdig.conf").write_text(text)
        return place / "htdig.conf"
