"""DokuWiki: a search box in the header of every page, a list of page names before the
results, sessions by cookie.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

from .gateway import Program
from .real import Item, rows_of, run_tool
from .serving import Server, Site

WIKI = Path("/usr/share/dokuwiki")
PHP = ("-d", "display_errors=0", "-d", "log_errors=0")
PROGRAMS = (
    "doku.php",
    "lib/exe/css.php",
    "lib/exe/js.php",
    "lib/exe/jquery.php",
    "lib/exe/ajax.php",
    "lib/exe/opensearch.php",
)
PACKAGES = (
    "aptitude-doc-en",
    "debian-faq",
    "developers-reference",
)  # the indexer writes many files a page
LONGEST = 8_000  # characters of a page
DATA = (
    "attic",
    "cache",
    "index",
    "locks",
    "log",
    "media",
    "media_attic",
    "media_meta",
    "meta",
    "pages",
    "tmp",
    "sessions",
)

SETTINGS = """<?php
$conf['title'] = 'Debian documents';
$conf['savedir'] = '{folder}/data';
$conf['useacl'] = 0;
$conf['useheading'] = 1;
"""
FOUND = """<?php
define('DOKU_INC', '/usr/share/dokuwiki/');
require_once DOKU_INC . 'inc/init.php';
$words = [];
foreach (array_keys(ft_pageSearch($argv[1], $words)) as $id) echo $id, "\\t", p_get_first_heading($id), "\\n";
"""


class DokuWiki:
    name = "dokuwiki"
    programs: Mapping[str, str] = {
        str(WIKI / "doku.php"): "dokuwiki",
        "/usr/bin/php-cgi": "php-cgi",
        "/usr/bin/php": "php-cli",
    }
    home = "/wiki/doku.php"

    def build(self, folder: Path, corpus: Path) -> None:
        for name in DATA:
            (folder / "data" / name).mkdir(parents=True)
        (folder / "conf").mkdir()
        (folder / "conf" / "local.php").write_text(SETTINGS.format(folder=folder))
        (folder / "conf" / "plugins.local.php").write_text(
            "<?php $plugins['testing'] = 0;"
        )
        (folder / "first.php").write_text(
            f"<?php define('DOKU_CONF', '{folder}/conf/');"
        )
        (folder / "found.php").write_text(FOUND)
        write_pages(folder / "data" / "pages", corpus)
        run_tool("php", *self._options(folder), WIKI / "bin" / "indexer.php", "--quiet")

    def routes(
        self, folder: Path, corpus: Path, server: Server
    ) -> Mapping[str, Program | Path | Site]:
        def program(name: str) -> Program:
            settings = {"SCRIPT_FILENAME": str(WIKI / name), "REDIRECT_STATUS": "200"}
            return Program(("php-cgi", *self._options(folder)), folder, settings)

        return {"/wiki/lib/": WIKI / "lib"} | {
            f"/wiki/{name}": program(name) for name in PROGRAMS
        }

    def truth(self, folder: Path, query: str, page: int, base: str) -> list[Item]:
        if page:
            return []
        found = run_tool("php", *self._options(folder), folder / "found.php", query)
        return [
            Item(title, urljoin(base, f"{self.home}?id={name}"))
            for name, title in rows_of(found)
        ]

    def key(self, url: str) -> str:
        """Links of results also carry the words to mark on the page."""
        return parse_qs(urlsplit(url).query).get("id", [""])[-1]

    def _options(self, folder: Path) -> tuple[str, ...]:
        return (
            *PHP,
            "-d",
            f"auto_prepend_file={folder}/first.php",
            "-d",
            f"session.save_path={folder}/data/sessions",
        )


def write_pages(pages: Path, corpus: Path) -> None:
    """Packages of the corpus as wiki pages, a namespace each, and a start page that
    links them all.
    """
    start = ["====== Debian documents ======", ""]
    for file in sorted(
        file for package in PACKAGES for file in corpus.glob(f"{package}/*.html")
    ):
        reader = _Reader()
        reader.feed(file.read_text(encoding="utf-8", errors="replace"))
        space, name = (
            re.sub(r"[^a-z0-9]+", "_", part.lower()).strip("_")
            for part in (file.parent.name, file.stem)
        )
        (pages / space).mkdir(exist_ok=True)
        (pages / space / f"{name}.txt").write_text(reader.wiki_text(), encoding="utf-8")
        start.append(f"  * [[{space}:{name}]]")
    (pages / "start.txt").write_text("\n".join(start), encoding="utf-8")


class _Reader(HTMLParser):
    """Title and paragraphs of a page; what looks like wiki markup in them is left
    plain.
    """

    BLOCKS = frozenset(
        {"p", "li", "dd", "dt", "pre", "td", "h1", "h2", "h3", "h4", "h5"}
    )

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.blocks: list[str] = [""]
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.BLOCKS:
            self.blocks.append("")
        if tag in {"title", "script", "style"}:
            self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "title":
            self.title += data
        elif not self._inside:
            self.blocks[-1] += data

    def wiki_text(self) -> str:
        title = plain(self.title).split(" — ")[0]
        return (
            f"====== {title} ======\n\n"
            + "\n\n".join(filter(None, map(plain, self.blocks)))[:LONGEST]
        )


def plain(text: str) -> str:
    """Text on one line, without the doubled signs that are markup to the wiki, and
    without what it would replace.
    """
    words = re.sub(r"([^\w\s])\1+", r"\1", " ".join(html.unescape(text).split()))
    return re.sub(r"[<>\[\]{}|^\\~*¶=]", " ", words)
