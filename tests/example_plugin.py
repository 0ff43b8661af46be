"""The package of `examples/plugin`, installed as pip would have it."""

from __future__ import annotations

import os
from pathlib import Path

PLUGIN = Path(__file__).parents[1] / "examples" / "plugin" / "src"


def install(folder: Path, extra: str = "") -> dict[str, str]:
    """Write what an installer leaves into a folder, with more methods if some are
    given; return the environment in which the package is there.
    """
    described = folder / "scythe_longest-0.1.0.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: scythe-longest\nVersion: 0.1.0\n"
    )
    (described / "entry_points.txt").write_text(
        f"[scythe.methods]\nlongest = scythe_longest:longest\n{extra}"
        "[scythe.exporters]\ncolumns = scythe_longest:write_columns\n"
        "[scythe.kinds]\nfilm = scythe_longest:FILM\n"
    )
    paths = (str(PLUGIN), str(folder), os.environ.get("PYTHONPATH", ""))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
