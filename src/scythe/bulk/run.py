"""A whole run: inputs to slices, slices to parts on all cores or on a cluster, parts to
the output.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from scythe.bulk.output.duplicates import DuplicateRows, Duplicates, Place, TextSketcher
from scythe.bulk.output.output import Assembler, Format, Output, output_of
from scythe.bulk.page import Position
from scythe.bulk.plan import Plan, RunFolder
from scythe.bulk.ray import RayCluster, connected
from scythe.bulk.reading.files import is_remote
from scythe.bulk.reading.lines import file_at
from scythe.bulk.reading.slices import Input, Reading, Slice, cut, find_inputs
from scythe.bulk.sites.site_pages import GroupWork, SiteDocuments
from scythe.bulk.sites.sites import MOST_PAGES, SiteJob
from scythe.bulk.sites.spill import Spilled, SpillJob, groups_of, slices_of
from scythe.bulk.workers.extraction import DEFAULT_WORK, Documents, PageWork
from scythe.bulk.workers.journal import Part
from scythe.bulk.workers.supervisor import Progress, Supervisor
from scythe.bulk.workers.worker import Budget, ExtractJob, Job
from scythe.errors import UsageError
from scythe.processes import cores

SHARD_BYTES = 256_000_000


@dataclass(frozen=True, slots=True)
class BulkOptions:
    """How a run is done. Nothing here but `duplicates`, `by_site` and `budget` changes
    what rows say.
    """

    workers: int | None = None
    """Processes; by default one for each core."""
    ray: str | None = None
    """The address of a Ray cluster, or `local`."""
    reading: Reading = field(default_factory=Reading)
    budget: Budget = field(default_factory=Budget)
    duplicates: Duplicates | None = None
    by_site: bool = False
    timings: bool = True
    """Whether rows say how long they took: the one column that differs between runs."""
    format: Format | None = None
    """By default what the name of the output says, else JSONL."""
    shard_bytes: int = SHARD_BYTES
    """The size of a shard, counted as JSON, where the output is a folder."""
    restart: bool = False
    """Throw away an unfinished run, or an output that is there."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of a run."""

    statuses: Counter[str]
    """How many pages have which status, those of earlier runs that it went on with
    included.
    """
    files: tuple[str, ...]
    rows: int

    @property
    def pages(self) -> int:
        """How many pages there were."""
        return self.statuses.total()


Watch = Callable[[Progress, int], None]
"""Called now and then with how far the run is, and the size of the whole in bytes."""


def run(
    inputs: Sequence[str | Path],
    out: str | Path,
    work: PageWork | GroupWork = DEFAULT_WORK,
    options: BulkOptions | None = None,
    watch: Watch | None = None,
) -> Summary:
    """Extract every page of WARC files, Parquet tables, JSONL files, folders or lists,
    into one table.

    A run that was ended, however, goes on where it was when it is started again in the
    same way, and its output is the same as that of a run that was never disturbed
    (`timings` aside). Worker processes import the module that calls this: a script
    needs the usual `if __name__ == "__main__":`.
    """
    chosen = options or BulkOptions()
    output = output_of(str(out), chosen.format, chosen.shard_bytes)
    folder = _folder(output, restart=chosen.restart)
    try:
        names = [_spooled(str(name), folder) for name in inputs]
        found = find_inputs(names, folder.listing)
        plan = Plan(found, _settings(work, chosen, output))
        folder.hold_to(plan)
        summary = _Run(folder, found, output, work, chosen, watch).perform()
    except BaseException:
        folder.close()
        raise
    folder.remove()
    return summary


def _settings(
    work: PageWork | GroupWork, chosen: BulkOptions, output: Output
) -> dict[str, str]:
    return {
        "work": work.description,
        "reading": str(chosen.reading),
        "budget": str(chosen.budget),
        "timed": str(chosen.timings),
        "by_site": str(chosen.by_site),
        "duplicates": str(chosen.duplicates),
        "output": output.description,
    }


def _folder(output: Output, *, restart: bool) -> RunFolder:
    path = run_folder_of(output)
    if restart:
        shutil.rmtree(path, ignore_errors=True)
        _remove_output(output)
    elif not path.exists() and _is_there(output):
        raise UsageError(
            f"{output.name} is there already. Name another output, or give --restart to write it anew."
        )
    return RunFolder(path)


def run_folder_of(output: Output) -> Path:
    """Where a run keeps what is done: beside its output, or here where that is an
    address.
    """
    if is_remote(output.name):
        return Path(
            f".scythe-run-{''.join(c if c.isalnum() else '-' for c in output.name)}"
        )
    path = Path(output.name)
    return (
        path / ".scythe-run"
        if output.shard_bytes is not None
        else path.with_name(f".{path.name}.scythe-run")
    )


def _is_there(output: Output) -> bool:
    path = Path(output.name)
    if is_remote(output.name) or not path.exists():
        return False
    return output.shard_bytes is None or any(path.glob("part-*"))


def _remove_output(output: Output) -> None:
    if is_remote(output.name):
        return
    files = (
        [Path(output.name)]
        if output.shard_bytes is None
        else [*Path(output.name).glob("part-*")]
    )
    for path in files:
        path.unlink(missing_ok=True)


def _spooled(name: str, folder: RunFolder) -> str:
    """Standard input is written to a file, which can be cut into slices and gone on
    with.
    """
    if name != "-":
        return name
    if not folder.spool.exists():
        unfinished = folder.spool.with_suffix(".new")
        with unfinished.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
        unfinished.replace(folder.spool)
    return str(folder.spool)


@dataclass
class _Run:
    folder: RunFolder
    inputs: Sequence[Input]
    output: Output
    work: PageWork | GroupWork
    options: BulkOptions
    watch: Watch | None

    def perform(self) -> Summary:
        """Do everything that is not done."""
        if self.options.ray is None:
            return self._perform()
        with connected(self.options.ray, self.options.workers):
            return self._perform()

    def _perform(self) -> Summary:
        slices = cut(self.inputs, self.options.reading)
        if self.options.by_site:
            return self._by_site(slices)
        sketches = self._sketches()
        parts = self.folder.parts("parts")
        chosen = self.options
        job = ExtractJob(
            parts,
            chosen.budget,
            chosen.reading,
            _single(self.work),
            chosen.timings,
            sketches,
        )
        return self._assembled(job, slices, sketches, partial(_place, slices))

    def _by_site(self, slices: Sequence[Slice]) -> Summary:
        """Pages to disk with the keys of their sites; then group by group."""
        chosen, work, sketches = self.options, _grouped(self.work), self._sketches()
        spilled = self.folder.parts("pages")
        for _ in self._parts(SpillJob(spilled, chosen.budget, chosen.reading), slices):
            pass
        pages = Spilled(spilled, len(slices))
        order, groups = groups_of(pages.keys(), MOST_PAGES)
        np.save(spilled / "order.npy", order)
        np.save(spilled / "groups.npy", np.array(groups, dtype=np.int64).reshape(-1, 2))
        grouped = slices_of(groups, str(spilled), MOST_PAGES)
        job = SiteJob(
            self.folder.parts("parts"),
            chosen.budget,
            work,
            spilled,
            len(slices),
            chosen.timings,
            sketches,
        )
        return self._assembled(
            job,
            grouped,
            sketches,
            lambda _, position: _named(pages.place(int(order[position.offset]))),
        )

    def _assembled(
        self,
        job: Job,
        slices: Sequence[Slice],
        sketches: TextSketcher | None,
        place: Place,
    ) -> Summary:
        """The parts of a job put together to the output."""
        assembler = Assembler(self.output, self.work.table, job.folder, len(slices))
        for _ in self._parts(job, slices):
            if sketches is None:
                assembler.advance()
        duplicates = (
            DuplicateRows(job.folder, len(slices), sketches.kind, place)
            if sketches
            else None
        )
        assembler.advance(duplicates.rewrite if duplicates else None)
        assembler.finish()
        return self._summary(job.folder, len(slices), assembler, duplicates)

    def _sketches(self) -> TextSketcher | None:
        if self.options.duplicates is None:
            return None
        if self.work.table != "documents":
            raise UsageError(
                "Duplicates are found among documents only. Leave --dedup or --to out."
            )
        return TextSketcher(self.options.duplicates)

    def _parts(self, job: Job, slices: Sequence[Slice]) -> Iterable[Slice]:
        """Each slice as it gets whole."""
        rest = [part for part in slices if not Part(job.folder, part.number).is_done]
        supervisor = self._crew(job, len(rest))
        self._count_done(supervisor.progress, job.folder, slices)
        total = sum(part.weight for part in slices)
        with closing(supervisor.run(rest)) as finished:
            for part in finished:
                if self.watch:
                    self.watch(supervisor.now(), total)
                if part is not None:
                    yield part

    def _crew(self, job: Job, slices: int) -> Supervisor | RayCluster:
        if self.options.ray is not None:
            return RayCluster(job)
        return Supervisor(job, min(self.options.workers or cores(), max(slices, 1)))

    @staticmethod
    def _count_done(progress: Progress, folder: Path, slices: Sequence[Slice]) -> None:
        for part in slices:
            if (done := Part(folder, part.number)).is_done:
                progress.weight += part.weight
                progress.statuses.update(done.counts())

    def _summary(
        self,
        parts: Path,
        count: int,
        assembler: Assembler,
        duplicates: DuplicateRows | None,
    ) -> Summary:
        statuses: Counter[str] = Counter()
        for number in range(count):
            statuses.update(Part(parts, number).counts())
        if duplicates:
            statuses = duplicates.counted(statuses)
        files = tuple(shard["file"] for shard in assembler.shards)
        return Summary(
            statuses, files, sum(shard["rows"] for shard in assembler.shards)
        )


def _single(work: PageWork | GroupWork) -> PageWork:
    if isinstance(work, GroupWork):
        raise UsageError(
            "Templates can be grown from pages of one site only. Give --by-site, or a template with --with."
        )
    return work


def _grouped(work: PageWork | GroupWork) -> GroupWork:
    if isinstance(work, Documents):
        return SiteDocuments(work)
    if not isinstance(work, GroupWork):
        raise UsageError(
            "--by-site is for --to documents, and for --to template without a file. Leave one of them out."
        )
    return work


def _place(slices: Sequence[Slice], part: int, position: Position) -> str:
    """Where a page stands, for people."""
    found = slices[part]
    if found.kind == "files":
        return file_at(found.source, position.offset)
    return f"the page at {position.offset} in {found.source}"


def _named(about: dict[str, Any]) -> str:
    return f"the page at {about['offset']} in {about['source']}"
