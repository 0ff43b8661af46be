"""What is made of each page: rows of a table. Pure functions that can be sent to any
process or engine.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

from scythe.bulk.output.tables import METADATA, Table, whole_row
from scythe.bulk.page import CrawlPage, Entry, Failure, PageFault, require_html
from scythe.content.document import Document
from scythe.content.extract import Extractor, Method, extract, resolve
from scythe.content.status import Status
from scythe.errors import ScytheError
from scythe.tree import Limits
from scythe.tree.parse import DEFAULT_LIMITS

if TYPE_CHECKING:
    from scythe.templates.template.template import Template
    from scythe.wrappers.record import Records
    from scythe.wrappers.wrapper import Wrapper

Content = Literal["text", "markdown", "both"]

_REASONS = {
    Status.EMPTY: "it holds no text that could be content",
    Status.SHELL: "it builds its content by script",
    Status.EMBEDDED: "no content is visible, so this is from its structured data",
    Status.BLOCKED: "it is a bot check, a login wall or an error page",
    Status.LIST: "it is a list of links or records rather than one text",
}


class PageWork(Protocol):
    """How a page becomes rows."""

    @property
    def table(self) -> Table:
        """What rows it makes."""

    @property
    def description(self) -> str:
        """All that its rows depend on besides the page."""

    def rows(self, page: CrawlPage) -> list[dict[str, Any]]:
        """The rows of a page, without its place; at least one. May raise a
        `ScytheError`.
        """


@dataclass(frozen=True, slots=True)
class Documents:
    """The main content of pages, one row each."""

    table: ClassVar[Table] = "documents"

    method: Method | Extractor = "auto"
    content: Content = "text"
    limits: Limits = DEFAULT_LIMITS

    @property
    def description(self) -> str:
        """Method, rendering and limits."""
        return f"documents {resolve(self.method)[0]} {self.content} {self.limits}"

    def rows(self, page: CrawlPage) -> list[dict[str, Any]]:
        """One row."""
        return [
            self.row(
                extract(page.html, page.url, self.method, self.limits, page.charset)
            )
        ]

    def row(self, document: Document) -> dict[str, Any]:
        """A document's row."""
        metadata = document.metadata
        return {
            "status": str(document.status),
            "reason": _reason(document),
            "title": metadata.title,
            "text": document.text if self.content != "markdown" else None,
            "markdown": document.markdown if self.content != "text" else None,
            "metadata": {name: getattr(metadata, name) for name in METADATA},
            "page_type": document.page_type,
            "confidence": round(document.confidence, 4),
            "method": document.method,
        }


def _reason(document: Document) -> str | None:
    if document.cut:
        return f"it was cut by the limit on {', '.join(document.cut)}"
    return _REASONS.get(document.status)


@dataclass(frozen=True, slots=True)
class ListRecords:
    """The records of list pages, by their tags."""

    table: ClassVar[Table] = "records"

    limits: Limits = DEFAULT_LIMITS

    @property
    def description(self) -> str:
        """The limits alone."""
        return f"records {self.limits}"

    def rows(self, page: CrawlPage) -> list[dict[str, Any]]:
        """A row for each record."""
        from scythe.tree import parse
        from scythe.wrappers.find import records_on

        return record_rows(
            records_on(parse(page.html, self.limits, page.charset), page.url)
        )


@dataclass(frozen=True)
class WrapperRecords:
    """The records that a wrapper reads."""

    table: ClassVar[Table] = "records"

    wrapper: Wrapper
    limits: Limits = DEFAULT_LIMITS

    @property
    def description(self) -> str:
        """The wrapper itself."""
        return f"wrapper {_digest(self.wrapper.as_json())} {self.limits}"

    def rows(self, page: CrawlPage) -> list[dict[str, Any]]:
        """A row for each record."""
        return record_rows(
            self.wrapper.extract(page.html, page.url, self.limits, page.charset)
        )


@dataclass(frozen=True)
class TemplateRecords:
    """The one record that a template reads from each page."""

    table: ClassVar[Table] = "records"

    template: Template
    identity: str
    """What tells this template from another, such as a digest of its file."""
    limits: Limits = DEFAULT_LIMITS

    @classmethod
    def load(cls, path: str, limits: Limits = DEFAULT_LIMITS) -> Self:
        """By the template in a file."""
        from scythe.templates.template.template import Template

        template = Template.load(path)
        return cls(
            template,
            hashlib.blake2b(Path(path).read_bytes(), digest_size=8).hexdigest(),
            limits,
        )

    @property
    def description(self) -> str:
        """The template itself."""
        return f"template {self.identity} {self.limits}"

    def rows(self, page: CrawlPage) -> list[dict[str, Any]]:
        """One row."""
        from scythe.tree import parse

        return [
            template_row(self.template, parse(page.html, self.limits, page.charset))
        ]


def record_rows(found: Records) -> list[dict[str, Any]]:
    """A row for each record, or one that says why there is none."""
    common = {
        "status": str(found.status),
        "reason": found.note or None,
        "confidence": round(found.confidence, 4),
        "method": found.method,
    }
    rows = [
        {**common, "record": number, **record.as_json()}
        for number, record in enumerate(found.rows)
    ]
    return rows or [common]


def template_row(template: Template, tree: Any) -> dict[str, Any]:
    """What a template reads from a page: the slots that have names, else all slots by
    their numbers.
    """
    found = template.extract(tree)
    values = found.record or dict(found)
    status = Status.OK if values else Status.EMPTY
    reason = None if values else "nothing of it stands where the template has a place"
    return {
        "status": str(status),
        "reason": reason,
        "record": 0 if values else None,
        "fields": {
            name: value[0] if len(value) == 1 else value
            for name, value in values.items()
        }
        if values
        else None,
        "confidence": round(found.fit, 4),
        "method": "template",
    }


def _digest(values: Any) -> str:
    return hashlib.blake2b(
        json.dumps(values, sort_keys=True).encode(), digest_size=8
    ).hexdigest()


DEFAULT_WORK = Documents()


def extract_page(
    page: CrawlPage | Mapping[str, Any], work: PageWork = DEFAULT_WORK
) -> dict[str, Any]:
    """The row of a page, whatever the page is: a page that cannot be read has a row
    that says why.

    A plain function of plain values, for any engine. A page may be a mapping with
    `html` (text or bytes) and perhaps `url`, `charset`, `source` and `offset`. For
    pages with several rows see `page_rows`.
    """
    return page_rows(page, work)[0]


def page_rows(
    page: CrawlPage | Mapping[str, Any], work: PageWork = DEFAULT_WORK
) -> list[dict[str, Any]]:
    """All rows of a page; never raises."""
    if not isinstance(page, CrawlPage):
        page = CrawlPage.of(page)
    return entry_rows(
        Entry(page.source or "", page.position, partial(_checked, page)), work
    )


def _checked(page: CrawlPage) -> CrawlPage:
    require_html(page.html, page.url or "the page")
    return page


def entry_rows(entry: Entry, work: PageWork) -> list[dict[str, Any]]:
    """All rows of the page at a place; never raises."""
    began = time.perf_counter()
    page, loaded = None, began
    try:
        page = entry.load()
        loaded = time.perf_counter()
        rows = work.rows(page)
    except Exception as error:
        rows = [failure(error)]
    url = page.url if page else rows[0].get("url")
    ended = time.perf_counter()
    loaded = loaded if page else ended
    timings = {"read": round(loaded - began, 6), "extract": round(ended - loaded, 6)}
    if page and page.note:
        for row in rows:
            row["reason"] = "; ".join(filter(None, (page.note, row.get("reason"))))
    place = {
        "url": url,
        "source": entry.source or None,
        "offset": entry.position.offset,
        "inner": entry.position.inner,
    }
    return [whole_row(work.table, {**row, **place, "timings": timings}) for row in rows]


def failure(error: BaseException) -> dict[str, Any]:
    """The part of a row that says why there is no content."""
    if isinstance(error, ScytheError):
        fault = PageFault.of(error, None)
        return {"status": str(fault.status), "reason": fault.reason, "url": fault.url}
    if isinstance(error, MemoryError):
        return {
            "status": str(Failure.MEMORY),
            "reason": "there was not enough memory for it",
        }
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return {
        "status": str(Failure.ERROR),
        "reason": f"a fault of Scythe, please report it: {what}",
    }
