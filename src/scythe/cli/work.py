"""What is done for each source, here or in a worker process: read, extract, render."""

from __future__ import annotations

from dataclasses import dataclass

from scythe.cli.messages import unexpected, warnings
from scythe.cli.rendering import Format, render
from scythe.content.extract import Method, extract
from scythe.errors import ScytheError
from scythe.sources import ReadOptions, Source
from scythe.tree import Limits


@dataclass(frozen=True, slots=True)
class Job:
    """How every source of one command is treated."""

    method: Method
    format: Format
    reading: ReadOptions
    on_one_line: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one source: a rendering or an error, and what else the user should know."""

    rendering: str | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()


def perform(job: Job, source: Source) -> Outcome:
    """Do the whole work for one source. Never raises, so that one bad source stops no other."""
    try:
        page = source.read(job.reading)
        limits = Limits(max_bytes=job.reading.max_bytes)
        document = extract(page.data, page.url, job.method, limits, page.charset)
        rendering = render(document, job.format, source.name, on_one_line=job.on_one_line)
        return Outcome(rendering, warnings=tuple(warnings(document)))
    except ScytheError as error:
        return Outcome(error=str(error))
    except Exception as error:
        return Outcome(error=unexpected(error))
