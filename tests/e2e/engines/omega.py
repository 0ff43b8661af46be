"""Xapian Omega: a GET form that keeps its state in hidden fields, results in a table,
pages by submit buttons.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

from .gateway import Program
from .real import Item, run_tool
from .serving import Server, Site

CGI = "/usr/lib/cgi-bin/omega/omega"
TEMPLATES = "/usr/share/xapian-omega/templates"
PAGE = 10


class Omega:
    name = "omega"
    programs: Mapping[str, str] = {
        CGI: "xapian-omega",
        "/usr/bin/omindex": "xapian-omega",
    }
    home = "/cgi-bin/omega"

    def build(self, folder: Path, corpus: Path) -> None:
        (folder / "data").mkdir()
        run_tool(
            "omindex", "--db", folder / "data" / "default", "--url", "/docs/", corpus
        )
        places = {
            "database_dir": folder / "data",
            "template_dir": TEMPLATES,
            "log_dir": folder,
            "cdb_dir": folder,
        }
        (folder / "omega.conf").write_text(
            "".join(f"{name} {path}\n" for name, path in places.items())
        )

    def routes(
        self, folder: Path, corpus: Path, server: Server
    ) -> Mapping[str, Program | Path | Site]:
        return {
            self.home: Program((CGI,), folder, self._settings(folder)),
            "/docs/": corpus,
        }

    def truth(self, folder: Path, query: str, page: int, base: str) -> list[Item]:
        asked = [
            f"P={query}",
            "DEFAULTOP=and",
            "DB=default",
            "FMT=xml",
            f"TOPDOC={page * PAGE}",
        ]
        _, _, xml = run_tool(CGI, *asked, settings=self._settings(folder)).partition(
            "\n\n"
        )
        results = ElementTree.fromstring(xml.strip())
        if results.get("TopDoc") != str(page * PAGE):
            return []  # Omega answers with its last page when asked for one after it
        found = [
            (hit.get("title", ""), hit.get("url", "")) for hit in results.iter("hit")
        ]
        return [
            Item(title or url, urljoin(base, url)) for title, url in found
        ]  # a document without a title is called by its path

    def key(self, url: str) -> str:
        return urlsplit(url).path

    def _settings(self, folder: Path) -> dict[str, str]:
        return {"OMEGA_CONFIG_FILE": str(folder / "omega.conf")}
