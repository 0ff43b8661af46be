"""Files that rows are written to besides text: workbooks, and what packages add by entry
points of the group `scythe.exporters`.

An exporter is a function that writes rows to a new file and returns how many it wrote:

    def write(path: Path, columns: Sequence[str], rows: Iterable[Mapping]) -> int: ...

Its name is the format, and the ending of its files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scythe.plugins import EXPORTERS, load_plugin, plugin_names
from scythe.spreadsheets import require_workbooks, write_workbook

Exporter = Callable[[Path, Sequence[str], Iterable[Mapping[str, Any]]], int]
WORKBOOK = "xlsx"


def find_exporter(name: str) -> Exporter | None:
    """Return the exporter of a format; None where there is none of that name."""
    if name == WORKBOOK:
        require_workbooks()
        return write_workbook
    exporter: Exporter | None = load_plugin(EXPORTERS, name)
    return exporter


def exporter_names() -> list[str]:
    """Return the formats that there are exporters for."""
    return [WORKBOOK, *plugin_names(EXPORTERS)]
