"""What `scythe extract` does for each source, here or in a worker process: read,
extract, render.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from scythe.cli.output.document_warnings import document_warnings
from scythe.cli.output.messages import describe_unexpected
from scythe.cli.output.rendering import Format, render_document
from scythe.content.document import Document
from scythe.content.extract import Extractor, Method, Render, extract
from scythe.content.many import extract_many
from scythe.content.non_pages import text_document
from scythe.content.options import DEFAULT_OPTIONS, ExtractOptions
from scythe.content.status import Status
from scythe.errors import ScytheError
from scythe.sources import RawPage, ReadOptions, Source
from scythe.tree import Limits, Tree, parse

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ExtractSettings:
    """How every source of one command is extracted."""

    method: Method | Extractor
    format: Format
    read: ReadOptions
    on_one_line: bool
    options: ExtractOptions = DEFAULT_OPTIONS
    charset: str | None = None
    """The charset of all pages, where the user knows better than they do."""
    render: Render = False

    @property
    def limits(self) -> Limits:
        """How much of a page is parsed."""
        return Limits(max_bytes=self.read.max_bytes)

    def paced_by(self, path: str) -> ExtractSettings:
        """Return the settings for processes that keep the pauses between requests by a
        file.
        """
        return replace(self, read=replace(self.read, pace_file=path))

    def read_page(self, source: Source) -> RawPage:
        """Return the page of a source."""
        page = source.read(self.read)
        return replace(page, charset=self.charset or page.charset)


@dataclass(frozen=True, slots=True)
class ExtractOutcome:
    """The result of one source: a rendering or an error, and what else the user should
    know. Both where a page could be read, and its content could not be had.
    """

    rendering: str | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()


def extract_source(settings: ExtractSettings, source: Source) -> ExtractOutcome:
    """Return the result of one source. Never raises, so that one bad source stops no
    other.
    """
    return _attempt(partial(_extract, settings, source))


def _extract(settings: ExtractSettings, source: Source) -> ExtractOutcome:
    page = settings.read_page(source)
    if page.is_text:
        document = text_document(page.data, page.url, settings.limits, page.charset)
        document = replace(document, options=settings.options)
    else:
        document = extract(
            page.data,
            page.url,
            settings.method,
            settings.limits,
            page.charset,
            settings.options,
            render=settings.render,
        )
    return _render(settings, source, document)


def extract_site(
    settings: ExtractSettings, sources: Iterable[Source]
) -> Generator[tuple[Source, ExtractOutcome], None, None]:
    """Yield the results of sources that are pages of one site, whose pages must all be
    read before the first is extracted.
    """
    results: list[tuple[Source, tuple[Tree, str | None] | ExtractOutcome]] = []
    trees: list[Tree] = []
    urls: list[str | None] = []
    for source in sources:
        page = _attempt(partial(_parse, settings, source))
        results.append((source, page))
        if not isinstance(page, ExtractOutcome):
            tree, url = page
            trees.append(tree)
            urls.append(url)

    extracted = extract_many(
        trees, urls, settings.method, settings.limits, options=settings.options
    )
    documents = iter(extracted)
    for source, page in results:
        if isinstance(page, ExtractOutcome):
            yield source, page
        else:
            render = partial(_render_next, settings, source, documents)
            yield source, _attempt(render)


def _parse(settings: ExtractSettings, source: Source) -> tuple[Tree, str | None]:
    page = settings.read_page(source)
    tree = parse(page.data, settings.limits, page.charset)
    return tree, page.url


def _render_next(
    settings: ExtractSettings, source: Source, documents: Iterator[Document]
) -> ExtractOutcome:
    return _render(settings, source, next(documents))


def _render(
    settings: ExtractSettings, source: Source, document: Document
) -> ExtractOutcome:
    rendering = render_document(
        document, settings.format, source.name, on_one_line=settings.on_one_line
    )
    warnings = tuple(document_warnings(document))
    if document.status is Status.SHELL and not document.text:
        # The rendering still says so to programs: JSON has the status.
        return ExtractOutcome(rendering, error=" ".join(warnings))
    return ExtractOutcome(rendering, warnings=warnings)


def _attempt(call: Callable[[], Result]) -> Result | ExtractOutcome:
    try:
        return call()
    except ScytheError as error:
        return ExtractOutcome(error=str(error))
    except Exception as error:
        return ExtractOutcome(error=describe_unexpected(error))
