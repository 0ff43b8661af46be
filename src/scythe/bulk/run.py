"""A whole run: inputs to partitions, partitions to rows on all cores or on a cluster,
rows to the output.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from scythe.bulk.manifest import Manifest, RunFolder
from scythe.bulk.output.duplicates import (
    DescribePage,
    DuplicateRows,
    Duplicates,
    TextSketcher,
)
from scythe.bulk.output.journal import PartitionResult
from scythe.bulk.output.shards import Format, Output, ShardWriter, resolve_output
from scythe.bulk.page import PagePosition
from scythe.bulk.ray import RayCluster, ray_connection
from scythe.bulk.reading.files import is_remote
from scythe.bulk.reading.lines import listed_file
from scythe.bulk.reading.partitions import (
    Input,
    InputOptions,
    Partition,
    divide_inputs,
    find_inputs,
)
from scythe.bulk.sites.extraction import SiteDocuments, SiteExtraction
from scythe.bulk.sites.staging import (
    MAX_GROUP_PAGES,
    StagedPages,
    StagingTask,
    group_by_site,
    group_partitions,
)
from scythe.bulk.sites.tasks import SiteTask, store_groups
from scythe.bulk.workers.extraction import (
    DEFAULT_EXTRACTION,
    Documents,
    PageExtraction,
)
from scythe.bulk.workers.supervisor import Progress, Supervisor
from scythe.bulk.workers.tasks import Budget, ExtractTask, PartitionTask
from scythe.errors import UsageError
from scythe.processes import cores

SHARD_BYTES = 256_000_000
"""A default of layout, not tuned."""
_COPY_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class BulkOptions:
    """How a run is done. Nothing here but `duplicates`, `by_site` and `budget` changes
    what rows say.
    """

    workers: int | None = None
    """Processes; by default one for each core."""
    ray: str | None = None
    """The address of a Ray cluster, or `local`."""
    inputs: InputOptions = field(default_factory=InputOptions)
    budget: Budget = field(default_factory=Budget)
    duplicates: Duplicates | None = None
    by_site: bool = False
    timings: bool = True
    """Whether rows say how long they took: the one column that differs between runs."""
    format: Format | None = None
    """By default by the name of the output, else JSONL."""
    shard_bytes: int = SHARD_BYTES
    """The size of a shard, counted as JSON, where the output is a folder."""
    restart: bool = False
    """Remove an unfinished run, or an output that exists."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a run."""

    statuses: Counter[str]
    """How many pages have which status, those of the earlier runs that it resumed
    included.
    """
    files: tuple[str, ...]
    rows: int
    resumed: int = 0
    """How many of the pages earlier runs had done."""
    empty_inputs: tuple[str, ...] = ()
    """The files in which there is not a byte."""

    @property
    def pages(self) -> int:
        """How many pages there were."""
        return self.statuses.total()


ProgressCallback = Callable[[Progress, int], None]
"""Called now and then with the progress of the run, and the size of the whole in bytes."""


def run(
    inputs: Sequence[str | Path],
    out: str | Path,
    extraction: PageExtraction | SiteExtraction = DEFAULT_EXTRACTION,
    options: BulkOptions | None = None,
    on_progress: ProgressCallback | None = None,
) -> Summary:
    """Extract every page of WARC files, Parquet tables, JSONL files, folders or lists,
    into one table, and return how many there were.

    A run that was ended, however, resumes where it was when it is started again in the
    same way, and its output is the same as that of a run that was never disturbed
    (`timings` aside). A script needs the usual `if __name__ == "__main__":` only where
    its extraction is defined in the script itself: worker processes then import it.
    """
    options = options or BulkOptions()
    output = resolve_output(str(out), options.format, options.shard_bytes)
    folder = _open_run_folder(output, restart=options.restart)
    try:
        names = [_copy_stdin(str(name), folder) for name in inputs]
        files = find_inputs(names, folder.listing)
        settings = _manifest_settings(extraction, options, output)
        folder.require_manifest(Manifest(files, settings))
        paced = options.inputs.paced_by(folder.path / "pace.db")
        options = replace(options, inputs=paced)
        bulk_run = _BulkRun(folder, files, output, extraction, options, on_progress)
        empty = tuple(file.state.name for file in files if file.state.size == 0)
        summary = replace(bulk_run.perform(), empty_inputs=empty)
    except BaseException:
        folder.close()
        raise
    folder.remove()
    return summary


def _manifest_settings(
    extraction: PageExtraction | SiteExtraction, options: BulkOptions, output: Output
) -> dict[str, str]:
    return {
        "work": extraction.description,
        "reading": options.inputs.description,
        "budget": str(options.budget),
        "timed": str(options.timings),
        "by_site": str(options.by_site),
        "duplicates": str(options.duplicates),
        "output": output.description,
    }


def _open_run_folder(output: Output, *, restart: bool) -> RunFolder:
    path = run_folder_path(output)
    if restart:
        shutil.rmtree(path, ignore_errors=True)
        for file in _output_files(output):
            file.unlink(missing_ok=True)
    elif not path.exists() and _output_files(output):
        raise UsageError(
            f"{output.name} is there already. "
            "Name another output, or give --restart to write it anew."
        )
    return RunFolder(path)


def run_folder_path(output: Output) -> Path:
    """Return where a run keeps what is done: beside its output, or here where that is
    an address.
    """
    if is_remote(output.name):
        name = ""
        for char in output.name:
            name += char if char.isalnum() else "-"
        return Path(f".scythe-run-{name}")
    path = Path(output.name)
    if output.shard_bytes is None:
        return path.with_name(f".{path.name}.scythe-run")
    return path / ".scythe-run"


def _output_files(output: Output) -> list[Path]:
    """Return the files of an output that exist on this machine."""
    path = Path(output.name)
    if is_remote(output.name) or not path.exists():
        return []
    if output.shard_bytes is None:
        return [path]
    return list(path.glob("part-*"))


def _copy_stdin(name: str, folder: RunFolder) -> str:
    """Return the name of an input; standard input is copied to a file, which can be
    divided into partitions and read again.
    """
    if name != "-":
        return name
    if not folder.stdin_copy.exists():
        unfinished = folder.stdin_copy.with_suffix(".new")
        with unfinished.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, _COPY_BYTES)
        unfinished.replace(folder.stdin_copy)
    return str(folder.stdin_copy)


@dataclass
class _BulkRun:
    folder: RunFolder
    inputs: Sequence[Input]
    output: Output
    extraction: PageExtraction | SiteExtraction
    options: BulkOptions
    on_progress: ProgressCallback | None

    def perform(self) -> Summary:
        """Do everything that is not done, and return the summary."""
        partitions = divide_inputs(self.inputs, self.options.inputs)
        steps = self._run_by_site if self.options.by_site else self._run_by_page
        if self.options.ray is None:
            return steps(partitions)
        with ray_connection(self.options.ray, self.options.workers):
            return steps(partitions)

    def _run_by_page(self, partitions: Sequence[Partition]) -> Summary:
        """Extract every page by itself."""
        sketcher = self._sketcher()
        task = ExtractTask(
            self.folder.subfolder("parts"),
            self.options.budget,
            self.options.inputs,
            _require_page_extraction(self.extraction),
            self.options.timings,
            sketcher,
        )

        def describe(number: int, position: PagePosition) -> str:
            return _describe_page(partitions[number], position)

        return self._write_output(task, partitions, sketcher, describe)

    def _run_by_site(self, partitions: Sequence[Partition]) -> Summary:
        """Write pages to disk with the keys of their sites; then extract them group by
        group.
        """
        extraction = _require_site_extraction(self.extraction)
        sketcher = self._sketcher()
        folder = self.folder.subfolder("pages")
        staging = StagingTask(folder, self.options.budget, self.options.inputs)
        for _ in self._complete(staging, partitions):
            pass

        pages = StagedPages(folder, len(partitions))
        order, groups = group_by_site(pages.site_keys(), MAX_GROUP_PAGES)
        store_groups(folder, order, groups)
        site_partitions = group_partitions(groups, str(folder), MAX_GROUP_PAGES)
        task = SiteTask(
            self.folder.subfolder("parts"),
            self.options.budget,
            extraction,
            folder,
            len(partitions),
            self.options.timings,
            sketcher,
        )

        def describe(_: int, position: PagePosition) -> str:
            origin = pages.origin(int(order[position.offset]))
            return f"the page at {origin['offset']} in {origin['source']}"

        return self._write_output(task, site_partitions, sketcher, describe)

    def _write_output(
        self,
        task: PartitionTask,
        partitions: Sequence[Partition],
        sketcher: TextSketcher | None,
        describe: DescribePage,
    ) -> Summary:
        """Run a task, write the rows of its partitions to the output, and return the
        summary.
        """
        count = len(partitions)
        writer = ShardWriter(self.output, self.extraction.table, task.folder, count)
        resumed = _status_counts(task.folder, count).total()
        for _ in self._complete(task, partitions):
            if sketcher is None:
                writer.advance()

        duplicates = None
        if sketcher:
            duplicates = DuplicateRows(task.folder, count, sketcher.kind, describe)
        writer.advance(duplicates.rewrite if duplicates else None)
        writer.finish()

        statuses = _status_counts(task.folder, count)
        if duplicates:
            statuses = duplicates.recount(statuses)
        files = []
        rows = 0
        for shard in writer.shards:
            files.append(shard["file"])
            rows += shard["rows"]
        return Summary(statuses, tuple(files), rows, resumed)

    def _sketcher(self) -> TextSketcher | None:
        if self.options.duplicates is None:
            return None
        if self.extraction.table != "documents":
            raise UsageError(
                "Duplicates are found among documents only. Leave --dedup or --to out."
            )
        return TextSketcher(self.options.duplicates)

    def _complete(
        self, task: PartitionTask, partitions: Sequence[Partition]
    ) -> Iterable[Partition]:
        """Run a task over the partitions that are not done, and yield each when it is
        complete.
        """
        remaining = []
        done = Progress()
        total = 0
        for partition in partitions:
            total += partition.weight
            result = PartitionResult(task.folder, partition.number)
            if result.is_done:
                done.weight += partition.weight
                done.statuses.update(result.status_counts())
            else:
                remaining.append(partition)

        runner = self._runner(task, len(remaining))
        runner.progress = done
        with closing(runner.run(remaining)) as completed:
            for completed_partition in completed:
                if self.on_progress:
                    self.on_progress(runner.current_progress(), total)
                if completed_partition is not None:
                    yield completed_partition

    def _runner(self, task: PartitionTask, partitions: int) -> Supervisor | RayCluster:
        if self.options.ray is not None:
            return RayCluster(task)
        workers = self.options.workers or cores()
        return Supervisor(task, min(workers, max(partitions, 1)))


def _status_counts(folder: Path, count: int) -> Counter[str]:
    """Return how many pages of some partitions are done, by their status."""
    statuses: Counter[str] = Counter()
    for number in range(count):
        statuses.update(PartitionResult(folder, number).status_counts())
    return statuses


def _require_page_extraction(
    extraction: PageExtraction | SiteExtraction,
) -> PageExtraction:
    if isinstance(extraction, SiteExtraction):
        raise UsageError(
            "Templates can be grown from pages of one site only. "
            "Give --by-site, or a template with --with."
        )
    return extraction


def _require_site_extraction(
    extraction: PageExtraction | SiteExtraction,
) -> SiteExtraction:
    if isinstance(extraction, Documents):
        return SiteDocuments(extraction)
    if not isinstance(extraction, SiteExtraction):
        raise UsageError(
            "--by-site is for --to documents, and for --to template without a file. "
            "Leave one of them out."
        )
    return extraction


def _describe_page(partition: Partition, position: PagePosition) -> str:
    """Return where a page was read, for people."""
    if partition.kind == "files":
        return listed_file(partition.source, position.offset)
    return f"the page at {position.offset} in {partition.source}"
