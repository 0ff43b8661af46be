"""What an agent may ask of Scythe: plain functions with bounded answers.

`scythe.integrations.mcp_server` offers them by the Model Context Protocol. Pages of
private machines are refused, since whoever writes a page may steer the agent that reads
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scythe.errors import UsageError
from scythe.sources.fetching import fetch
from scythe.sources.options import ReadOptions

MAX_CHARACTERS = 60_000
"""Characters of a text that an answer has by default, some 15,000 tokens."""
MAX_ROWS = 200
"""Rows that an answer has at the most: a bound on its size, not tuned."""
_SECONDS = 30.0

Kind = Literal["auto", "recipe", "product", "article", "job", "event"]


@dataclass(frozen=True)
class _Page:
    data: bytes | str
    url: str | None
    charset: str | None = None


@dataclass(frozen=True)
class ScytheTools:
    """The tools, over one database."""

    db: str | None = None
    allow_private: bool = False

    def extract(
        self, url: str = "", html: str = "", max_characters: int = MAX_CHARACTERS
    ) -> dict[str, Any]:
        """Return the main content of a web page as Markdown, with title, author, date
        and status. Give the address of the page, or its HTML.
        """
        from scythe.content.extract import extract

        page = self._page(url, html)
        document = extract(page.data, page.url, charset=page.charset)
        markdown = document.markdown
        values = {
            "url": page.url,
            "title": document.title,
            "author": document.author,
            "date": document.date,
            "status": str(document.status),
            "confidence": round(document.confidence, 3),
            "markdown": markdown[:max_characters],
        }
        if len(markdown) > max_characters:
            values["cut"] = f"{len(markdown) - max_characters} characters are left out"
        return values

    def read_page(
        self, url: str = "", html: str = "", kind: Kind = "auto"
    ) -> dict[str, Any]:
        """Return what a page says of the one thing that it describes (a recipe, product,
        article, job or event) as named fields.
        """
        from scythe.templates.page_records import tree_record
        from scythe.tree import parse

        page = self._page(url, html)
        tree = parse(page.data, charset=page.charset)
        record = tree_record(tree, page.url, kind)
        return {"url": page.url, "kind": record.kind, "record": dict(record.values)}

    def records(
        self, url: str = "", html: str = "", limit: int = MAX_ROWS
    ) -> dict[str, Any]:
        """Return the rows of a list page (search results, a category, a forum index),
        each with its fields and link.
        """
        from scythe.wrappers.find import records

        page = self._page(url, html)
        found = records(page.data, page.url, render=False)
        shown = min(limit, MAX_ROWS)
        rows = [record.as_json() for record in found][:shown]
        return {"url": page.url, "status": str(found.status), "records": rows}

    def search(
        self, query: str, engines: Sequence[str] = (), limit: int = 20
    ) -> dict[str, Any]:
        """Search with the engines of this machine at once, and return the merged hits.
        Engines are added with `scythe engine add`.
        """
        from scythe.engines.registry.registry import Registry
        from scythe.engines.registry.stored_search import search_stored

        with Registry.open(self.db) as registry:
            found = search_stored(registry, query, tuple(engines))
            found.store(registry)
        shown = found.hits.hits[: min(limit, MAX_ROWS)]
        hits = [hit.as_json() for hit in shown]
        return {**found.hits.as_json(), "hits": hits}

    def collections(self) -> list[dict[str, Any]]:
        """Return the collections of this machine: databases of records that follow a
        site.
        """
        from scythe.collect.catalogue import Collections

        with Collections.open(self.db) as stored:
            rows = stored.all()
            return [
                {"name": row.name, "counts": stored.get(row.name).counts()}
                for row in rows
            ]

    def collection_records(
        self, name: str, query: str = "", offset: int = 0, limit: int = 20
    ) -> dict[str, Any]:
        """Return records of a collection that match words, "phrases", beginnings* and
        -not; all of them where the query is empty.
        """
        from scythe.collect.catalogue import Collections
        from scythe.collect.search import RecordQuery

        with Collections.open(self.db) as stored:
            search = stored.get(name).search
            size = max(1, min(limit, MAX_ROWS))
            query_of_words = RecordQuery(query)
            result = search.find(query_of_words, max(0, offset), size)
            rows = [
                {"url": row.url, "fields": row.fields}
                for row in search.records(result.records)
            ]
        return {"total": result.total, "records": rows}

    def _page(self, url: str, html: str) -> _Page:
        if html.strip():
            return _Page(html, url or None)
        if not url:
            raise UsageError("There is no page. Give its url, or its html.")
        options = ReadOptions(timeout=_SECONDS, public_only=not self.allow_private)
        page = fetch(url, options)
        return _Page(page.data, page.url, page.charset)
