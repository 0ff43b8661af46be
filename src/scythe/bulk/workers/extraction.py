"""How a page becomes rows of a table: pure functions that can be sent to any process or
engine.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

from scythe.bulk.output.tables import METADATA, Table, complete_row
from scythe.bulk.page import CrawlPage, Failure, PageEntry, PageFault
from scythe.content.document import Document
from scythe.content.extract import Extractor, Method, extract, resolve_method
from scythe.content.options import DEFAULT_OPTIONS, ExtractOptions
from scythe.content.status import Status
from scythe.errors import ScytheError
from scythe.sources.page import require_page
from scythe.tree import Limits, Tree
from scythe.tree.parse import DEFAULT_LIMITS, parse

if TYPE_CHECKING:
    from scythe.templates.template.template import Template
    from scythe.wrappers.record import Records
    from scythe.wrappers.wrapper import Wrapper

Row = dict[str, Any]
Content = Literal["text", "markdown", "both"]

_REASONS = {
    Status.EMPTY: "it holds no text that could be content",
    Status.SHELL: "it builds its content by script",
    Status.EMBEDDED: "no content is visible, so this is from its structured data",
    Status.BLOCKED: "it is a bot check, a login, a paywall or an error page",
    Status.LIST: "it is a list of links or records rather than one text",
    Status.TEXT: "it is plain text, given as it is",
}


class PageExtraction(Protocol):
    """How a page becomes rows."""

    @property
    def table(self) -> Table:
        """The table of its rows."""

    @property
    def description(self) -> str:
        """All that its rows depend on besides the page."""

    def rows(self, page: CrawlPage) -> list[Row]:
        """Return the rows of a page, without source and position; at least one. May
        raise a `ScytheError`.
        """


@dataclass(frozen=True, slots=True)
class Documents:
    """The main content of pages, one row each."""

    table: ClassVar[Table] = "documents"

    method: Method | Extractor = "auto"
    content: Content = "text"
    limits: Limits = DEFAULT_LIMITS
    options: ExtractOptions = DEFAULT_OPTIONS

    @property
    def description(self) -> str:
        """Method, rendering and limits; options where they are not the default, so that
        runs begun before there were any can resume.
        """
        method_name, _ = resolve_method(self.method, self.options.focus)
        description = f"documents {method_name} {self.content} {self.limits}"
        if self.options != DEFAULT_OPTIONS:
            description += f" {self.options}"
        return description

    def rows(self, page: CrawlPage) -> list[Row]:
        """Return one row."""
        document = extract(
            page.html, page.url, self.method, self.limits, page.charset, self.options
        )
        return [self.document_row(document)]

    def document_row(self, document: Document) -> Row:
        """Return the row of a document."""
        metadata = document.metadata
        return {
            "status": str(document.status),
            "reason": _document_reason(document),
            "title": metadata.title,
            "text": document.text if self.content != "markdown" else None,
            "markdown": document.markdown if self.content != "text" else None,
            "metadata": {name: getattr(metadata, name) for name in METADATA},
            "page_type": document.page_type,
            "confidence": round(document.confidence, 4),
            "method": document.method,
        }


def _document_reason(document: Document) -> str | None:
    if document.cut:
        return f"it was cut by the limit on {', '.join(document.cut)}"
    return document.note or _REASONS.get(document.status)


@dataclass(frozen=True, slots=True)
class ListRecords:
    """The records of list pages, by their tags."""

    table: ClassVar[Table] = "records"

    limits: Limits = DEFAULT_LIMITS

    @property
    def description(self) -> str:
        """The limits alone."""
        return f"records {self.limits}"

    def rows(self, page: CrawlPage) -> list[Row]:
        """Return a row for each record."""
        from scythe.wrappers.find import records_on

        tree = parse(page.html, self.limits, page.charset)
        return record_rows(records_on(tree, page.url))


@dataclass(frozen=True)
class WrapperRecords:
    """The records that a wrapper reads."""

    table: ClassVar[Table] = "records"

    wrapper: Wrapper
    limits: Limits = DEFAULT_LIMITS

    @property
    def description(self) -> str:
        """The wrapper itself."""
        wrapper_json = json.dumps(self.wrapper.as_json(), sort_keys=True)
        return f"wrapper {_digest(wrapper_json.encode())} {self.limits}"

    def rows(self, page: CrawlPage) -> list[Row]:
        """Return a row for each record."""
        records = self.wrapper.extract(page.html, page.url, self.limits, page.charset)
        return record_rows(records)


@dataclass(frozen=True)
class TemplateRecords:
    """The one record that a template reads from each page."""

    table: ClassVar[Table] = "records"

    template: Template
    identity: str
    """What distinguishes this template from another, such as a digest of its file."""
    limits: Limits = DEFAULT_LIMITS

    @classmethod
    def load(cls, path: str, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Return the extraction by the template in a file."""
        from scythe.templates.template.template import Template

        template = Template.load(path)
        return cls(template, _digest(Path(path).read_bytes()), limits)

    @property
    def description(self) -> str:
        """The template itself."""
        return f"template {self.identity} {self.limits}"

    def rows(self, page: CrawlPage) -> list[Row]:
        """Return one row."""
        tree = parse(page.html, self.limits, page.charset)
        return [template_row(self.template, tree)]


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def record_rows(records: Records) -> list[Row]:
    """Return a row for each record, or one that says why there is none."""
    common: Row = {
        "status": str(records.status),
        "reason": records.note or None,
        "confidence": round(records.confidence, 4),
        "method": records.method,
    }
    rows = []
    for number, record in enumerate(records.rows):
        values = record.as_json()
        values["fields"] = _value_lists(values["fields"])
        rows.append({**common, "record": number, **values})
    return rows or [common]


def _value_lists(fields: Mapping[str, str | Sequence[str]]) -> dict[str, list[str]]:
    """Return fields with a list of values each, as a table has one type for all."""
    return {
        name: [value] if isinstance(value, str) else list(value)
        for name, value in fields.items()
    }


def template_row(template: Template, tree: Tree) -> Row:
    """Return what a template reads from a page: the slots that have names, else all
    slots by their numbers.
    """
    extracted = template.extract(tree)
    row: Row = {
        "status": str(Status.EMPTY),
        "reason": "it has no text where the template has slots",
        "record": None,
        "fields": None,
        "confidence": round(extracted.fit, 4),
        "method": "template",
    }
    values = extracted.record or dict(extracted)
    if not values:
        return row

    fields = _value_lists(values)
    found = {"status": str(Status.OK), "reason": None, "record": 0, "fields": fields}
    return {**row, **found}


DEFAULT_EXTRACTION = Documents()


def extract_page(
    page: CrawlPage | Mapping[str, Any], extraction: PageExtraction = DEFAULT_EXTRACTION
) -> Row:
    """Return the row of a page, whatever the page is: a page that cannot be read has a
    row that says why.

    A plain function of plain values, for any engine. A page may be a mapping with
    `html` (text or bytes) and perhaps `url`, `charset`, `source` and `offset`. For
    pages with several rows see `page_rows`.
    """
    return page_rows(page, extraction)[0]


def page_rows(
    page: CrawlPage | Mapping[str, Any], extraction: PageExtraction = DEFAULT_EXTRACTION
) -> list[Row]:
    """Return all rows of a page; never raises."""
    if not isinstance(page, CrawlPage):
        page = CrawlPage.from_row(page)
    load = partial(_checked_page, page)
    entry = PageEntry(page.source or "", page.position, load)
    return entry_rows(entry, extraction)


def _checked_page(page: CrawlPage) -> CrawlPage:
    require_page(page.html, page.url or "the page")
    return page


def entry_rows(entry: PageEntry, extraction: PageExtraction) -> list[Row]:
    """Load a page and return all its rows; never raises."""
    started = time.perf_counter()
    page: CrawlPage | None = None
    loaded: float | None = None
    try:
        page = entry.load()
        loaded = time.perf_counter()
        rows = extraction.rows(page)
    except Exception as error:
        rows = [failure_values(error)]
    ended = time.perf_counter()

    if loaded is None:
        loaded = ended
    common = {
        "url": page.url if page else rows[0].get("url"),
        "source": entry.source or None,
        "offset": entry.position.offset,
        "inner": entry.position.inner,
        **(page.capture._asdict() if page else {}),
        "timings": {
            "read": round(loaded - started, 6),
            "extract": round(ended - loaded, 6),
        },
    }
    if page and page.note:
        for row in rows:
            reasons = [page.note, row.get("reason")]
            row["reason"] = "; ".join(filter(None, reasons))

    complete = []
    for row in rows:
        values = {**row, **common}
        complete.append(complete_row(extraction.table, values))
    return complete


def failure_values(error: BaseException) -> Row:
    """Return the columns that say why there is no content."""
    if isinstance(error, ScytheError):
        fault = PageFault.from_error(error, None)
        return {
            "status": str(fault.status),
            "reason": fault.reason,
            "url": fault.url,
            **fault.capture._asdict(),
        }
    if isinstance(error, MemoryError):
        return {
            "status": str(Failure.MEMORY),
            "reason": "there was not enough memory for it",
        }
    name = type(error).__name__
    description = f"{name}: {error}" if str(error) else name
    return {
        "status": str(Failure.ERROR),
        "reason": f"a fault of Scythe, please report it: {description}",
    }
