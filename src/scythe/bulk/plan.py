"""A run on disk: what it was asked for, so that it can be gone on with, and nothing
else can be mixed into it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scythe.bulk.reading.files import create_file
from scythe.bulk.reading.slices import Input
from scythe.bulk.workers.journal import lock
from scythe.errors import UsageError

_WORDS = {
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


@dataclass(frozen=True, slots=True)
class Plan:
    """All that the rows depend on."""

    inputs: Sequence[Input]
    settings: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        files = [[each.kind, *asdict(each.state).values()] for each in self.inputs]
        return {"scythe": version("scythe"), "inputs": files, **self.settings}


class RunFolder:
    """Where a run keeps what is done, beside its output, until the output is whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._plan = path / "plan.json"
        shutil.rmtree(self._trash, ignore_errors=True)
        path.mkdir(parents=True, exist_ok=True)
        self._lock = create_file(str(path / "lock"))
        if not lock(self._lock, wait=False):
            raise UsageError(
                f"Another run is writing to this output: its files in {path} are in use. Wait until it has ended."
            )

    @property
    def listing(self) -> Path:
        """Where the files of folders are written down."""
        return self.path / "files.list"

    @property
    def spool(self) -> Path:
        """Where standard input is kept."""
        return self.path / "stdin"

    def parts(self, name: str) -> Path:
        """A folder of parts."""
        folder = self.path / name
        folder.mkdir(exist_ok=True)
        return folder

    def hold_to(self, plan: Plan) -> None:
        """Write down the plan, or refuse one that is not that of the run that is to be
        gone on with.
        """
        asked = plan.as_json()
        if self._plan.exists():
            _require_same(json.loads(self._plan.read_text("utf-8")), asked, self.path)
            return
        unfinished = self.path / "plan.new"
        unfinished.write_text(json.dumps(asked, indent=1), "utf-8")
        unfinished.replace(self._plan)

    @property
    def _trash(self) -> Path:
        return self.path.with_name(self.path.name + ".done")

    def close(self) -> None:
        """Let others have it."""
        self._lock.close()

    def remove(self) -> None:
        """Remove it: the output is whole."""
        self.path.replace(self._trash)
        self.close()
        shutil.rmtree(self._trash, ignore_errors=True)


def _require_same(begun: dict[str, Any], asked: dict[str, Any], folder: Path) -> None:
    different = [key for key in _WORDS if begun.get(key) != asked.get(key)]
    if not different:
        return
    key = different[0]
    was, now = begun.get(key), asked.get(key)
    shown = "" if key == "inputs" else f" ({was} before, {now} now)"
    if key == "inputs":
        before, after = (
            {each[1]: each for each in files or ()} for files in (was, now)
        )
        changed = [
            name for name in {**before, **after} if before.get(name) != after.get(name)
        ]
        shown = (
            f" ({', '.join(changed[:3])}{', ...' if len(changed) > 3 else ''})"
            if changed
            else " (their order)"
        )
    raise UsageError(
        f"The unfinished run in {folder} was begun otherwise: {_WORDS[key]} differ{shown}. "
        "Run it as it was begun to go on with it, or give --restart to begin anew."
    )
