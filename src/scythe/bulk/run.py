"""A whole run: inputs to slices, slices to parts on all cores or on a cluster, parts to the output."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from scythe.bulk.duplicates import DuplicateRows, Duplicates, TextSketcher
from scythe.bulk.extracting import DEFAULT_WORK, PageWork
from scythe.bulk.files import is_remote
from scythe.bulk.journal import Part
from scythe.bulk.output import Assembler, Format, Output, output_of
from scythe.bulk.plan import Plan, RunFolder
from scythe.bulk.slices import Input, Reading, Slice, cut, find_inputs
from scythe.bulk.supervisor import Progress, Supervisor
from scythe.bulk.worker import Budget, ExtractJob
from scythe.errors import UsageError
from scythe.processes import cores

SHARD_BYTES = 256_000_000


@dataclass(frozen=True, slots=True)
class BulkOptions:
    """How a run is done. Nothing here but `duplicates`, `by_site` and `budget` changes what rows say."""

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
    """How many pages have which status, those of earlier runs that it went on with included."""
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
    work: PageWork = DEFAULT_WORK,
    options: BulkOptions | None = None,
    watch: Watch | None = None,
) -> Summary:
    """Extract every page of WARC files, Parquet tables, JSONL files, folders or lists, into one table.

    A run that was ended, however, goes on where it was when it is started again in the same way, and its output is the same as
    that of a run that was never disturbed (`timings` aside). Worker processes import the module that calls this: a script needs
    the usual `if __name__ == "__main__":`.
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


def _settings(work: PageWork, chosen: BulkOptions, output: Output) -> dict[str, str]:
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
        raise UsageError(f"{output.name} is there already. Name another output, or give --restart to write it anew.")
    return RunFolder(path)


def run_folder_of(output: Output) -> Path:
    """Where a run keeps what is done: beside its output, or here where that is an address."""
    if is_remote(output.name):
        return Path(f".scythe-run-{''.join(c if c.isalnum() else '-' for c in output.name)}")
    path = Path(output.name)
    return path / ".scythe-run" if output.shard_bytes is not None else path.with_name(f".{path.name}.scythe-run")


def _is_there(output: Output) -> bool:
    path = Path(output.name)
    if is_remote(output.name) or not path.exists():
        return False
    return output.shard_bytes is None or any(path.glob("part-*"))


def _remove_output(output: Output) -> None:
    if is_remote(output.name):
        return
    files = [Path(output.name)] if output.shard_bytes is None else [*Path(output.name).glob("part-*")]
    for path in files:
        path.unlink(missing_ok=True)


def _spooled(name: str, folder: RunFolder) -> str:
    """Standard input is written to a file, which can be cut into slices and gone on with."""
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
    work: PageWork
    options: BulkOptions
    watch: Watch | None

    def perform(self) -> Summary:
        """Do everything that is not done."""
        slices = cut(self.inputs, self.options.reading)
        sketches = self._sketches()
        parts = self.folder.parts("parts")
        job = ExtractJob(parts, self.options.budget, self.options.reading, self.work, self.options.timings, sketches)
        assembler = Assembler(self.output, self.work.table, parts, len(slices))
        for _ in self._parts(job, slices):
            if sketches is None:
                assembler.advance()
        duplicates = DuplicateRows(parts, slices, sketches.kind) if sketches else None
        assembler.advance(duplicates.rewrite if duplicates else None)
        assembler.finish()
        return self._summary(parts, len(slices), assembler, duplicates)

    def _sketches(self) -> TextSketcher | None:
        if self.options.duplicates is None:
            return None
        if self.work.table != "documents":
            raise UsageError("Duplicates are found among documents only. Leave --dedup or --to out.")
        return TextSketcher(self.options.duplicates)

    def _parts(self, job: ExtractJob, slices: Sequence[Slice]) -> Iterable[Slice]:
        """Each slice as it gets whole."""
        rest = [part for part in slices if not Part(job.folder, part.number).is_done]
        workers = min(self.options.workers or cores(), max(len(rest), 1))
        supervisor = Supervisor(job, workers)
        self._count_done(supervisor.progress, job.folder, slices)
        total = sum(part.weight for part in slices)
        with closing(supervisor.run(rest)) as finished:
            for part in finished:
                if self.watch:
                    self.watch(supervisor.now(), total)
                if part is not None:
                    yield part

    @staticmethod
    def _count_done(progress: Progress, folder: Path, slices: Sequence[Slice]) -> None:
        for part in slices:
            if (done := Part(folder, part.number)).is_done:
                progress.weight += part.weight
                progress.statuses.update(done.counts())

    def _summary(self, parts: Path, count: int, assembler: Assembler, duplicates: DuplicateRows | None) -> Summary:
        statuses: Counter[str] = Counter()
        for number in range(count):
            statuses.update(Part(parts, number).counts())
        if duplicates:
            statuses = duplicates.counted(statuses)
        files = tuple(shard["file"] for shard in assembler.shards)
        return Summary(statuses, files, sum(shard["rows"] for shard in assembler.shards))
