"""What a run was asked for, on disk: the same command resumes it, and another cannot mix
its rows into it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scythe.bulk.output.journal import lock
from scythe.bulk.reading.files import create_file
from scythe.bulk.reading.partitions import Input
from scythe.errors import UsageError
from scythe.version import installed_version

_DESCRIPTIONS = {
    "scythe": "the version of Scythe",
    "inputs": "the inputs",
    "work": "what is extracted",
    "reading": "how inputs are read",
    "budget": "what a page may take",
    "timed": "whether times are written",
    "by_site": "whether pages are grouped by site",
    "duplicates": "how duplicates are found",
    "output": "how the output is written",
}
"""The keys of the file, which those of unfinished runs have too, and what they mean."""

_NAMED_INPUTS = 3
"""Changed inputs that the message names: a choice of layout, not tuned."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that the rows of a run depend on."""

    inputs: Sequence[Input]
    settings: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        """Return the manifest as plain values."""
        files = []
        for item in self.inputs:
            state = asdict(item.state)
            files.append([item.kind, *state.values()])
        return {"scythe": installed_version(), "inputs": files, **self.settings}


class RunFolder:
    """The folder beside the output that has what is done, until the output is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._manifest_path = path / "plan.json"
        shutil.rmtree(self._trash, ignore_errors=True)
        path.mkdir(parents=True, exist_ok=True)

        self._lock = create_file(str(path / "lock"))
        if not lock(self._lock, wait=False):
            raise UsageError(
                f"Another run is writing to this output: its files in {path} are in use. "
                "Wait until it has ended."
            )

    @property
    def listing(self) -> Path:
        """The list of files found in input folders."""
        return self.path / "files.list"

    @property
    def stdin_copy(self) -> Path:
        """The copy of standard input."""
        return self.path / "stdin"

    def subfolder(self, name: str) -> Path:
        """Return a folder for the results of partitions, which is created."""
        folder = self.path / name
        folder.mkdir(exist_ok=True)
        return folder

    def require_manifest(self, manifest: Manifest) -> None:
        """Store the manifest, or refuse one that differs from that of the unfinished run."""
        requested = manifest.as_json()
        if self._manifest_path.exists():
            stored = json.loads(self._manifest_path.read_text("utf-8"))
            _require_same(stored, requested, self.path)
            return

        unfinished = self.path / "plan.new"
        unfinished.write_text(json.dumps(requested, indent=1), "utf-8")
        unfinished.replace(self._manifest_path)

    @property
    def _trash(self) -> Path:
        return self.path.with_name(self.path.name + ".done")

    def close(self) -> None:
        """Release the lock."""
        self._lock.close()

    def remove(self) -> None:
        """Remove the folder: the output is complete."""
        self.path.replace(self._trash)
        self.close()
        shutil.rmtree(self._trash, ignore_errors=True)


def _require_same(
    stored: dict[str, Any], requested: dict[str, Any], folder: Path
) -> None:
    for key, description in _DESCRIPTIONS.items():
        before = stored.get(key)
        now = requested.get(key)
        if before == now:
            continue
        if key == "inputs":
            difference = _input_difference(before or [], now or [])
        else:
            difference = f"{before} before, {now} now"
        raise UsageError(
            f"The unfinished run in {folder} was started with other settings: "
            f"{description} differ ({difference}). "
            "Start it with the same settings to resume it, or give --restart to start over."
        )


def _input_difference(before: list[list[Any]], now: list[list[Any]]) -> str:
    """Return the names of the inputs that changed."""
    old = {file[1]: file for file in before}
    new = {file[1]: file for file in now}
    all_files = {**old, **new}
    changed = [name for name in all_files if old.get(name) != new.get(name)]
    if not changed:
        return "their order"
    names = ", ".join(changed[:_NAMED_INPUTS])
    return f"{names}, ..." if len(changed) > _NAMED_INPUTS else names
