"""What is done for each source, here or in a worker process: read, extract, render."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from scythe.cli.output.messages import unexpected, warnings
from scythe.cli.output.rendering import Format, render
from scythe.content.document import Document
from scythe.content.extract import Extractor, Method, extract
from scythe.content.many import extract_many
from scythe.errors import ScytheError
from scythe.sources import ReadOptions, Source
from scythe.tree import Limits, Tree, parse

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Job:
    """How every source of one command is treated."""

    method: Method | Extractor
    format: Format
    reading: ReadOptions
    on_one_line: bool

    @property
    def limits(self) -> Limits:
        """How much of a page is parsed."""
        return Limits(max_bytes=self.reading.max_bytes)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one source: a rendering or an error, and what else the user should
    know.
    """

    rendering: str | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()


def perform(job: Job, source: Source) -> Outcome:
    """Do the whole work for one source. Never raises, so that one bad source stops no
    other.
    """
    page = _attempt(lambda: source.read(job.reading))
    if isinstance(page, Outcome):
        return page
    return _rendered(
        job,
        source,
        lambda: extract(page.data, page.url, job.method, job.limits, page.charset),
    )


def perform_together(
    job: Job, sources: Iterable[Source]
) -> Generator[tuple[Source, Outcome], None, None]:
    """Do the work for sources that are pages of one site, whose pages must all be read
    before the first is extracted.
    """
    found = [(source, _attempt(partial(_parsed, job, source))) for source in sources]
    pages = [page for _, page in found if not isinstance(page, Outcome)]
    trees, addresses = [tree for tree, _ in pages], [url for _, url in pages]
    documents = iter(extract_many(trees, addresses, job.method, job.limits))
    for source, page in found:
        yield (
            source,
            page
            if isinstance(page, Outcome)
            else _rendered(job, source, partial(next, documents)),
        )


def _parsed(job: Job, source: Source) -> tuple[Tree, str | None]:
    page = source.read(job.reading)
    return parse(page.data, job.limits, page.charset), page.url


def _rendered(job: Job, source: Source, extracted: Callable[[], Document]) -> Outcome:
    def whole() -> Outcome:
        document = extracted()
        rendering = render(
            document, job.format, source.name, on_one_line=job.on_one_line
        )
        return Outcome(rendering, warnings=tuple(warnings(document)))

    return _attempt(whole)


def _attempt(work: Callable[[], Result]) -> Result | Outcome:
    try:
        return work()
    except ScytheError as error:
        return Outcome(error=str(error))
    except Exception as error:
        return Outcome(error=unexpected(error))
