"""Build step of the package: the compiled core, where there is a Rust compiler.

Without one, or with `SCYTHE_CORE=0`, the package is built without the core, and works
the same, through turbohtml and NumPy.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_LIBRARIES = {"win32": "scythe_core.dll", "darwin": "libscythe_core.dylib"}


class CoreBuildHook(BuildHookInterface):
    """Puts the compiled core beside the Python that loads it, and into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the core; where that works, the wheel is one for this platform."""
        library = build_core(Path(self.root))
        if library is None:
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        if version != "editable":
            build_data["force_include"][str(library)] = f"scythe/core/{library.name}"


def build_core(root: Path) -> Path | None:
    """Build the core into `src/scythe/core`, and return its file; None where it cannot
    be built.
    """
    cargo = shutil.which("cargo")
    if cargo is None or os.environ.get("SCYTHE_CORE") == "0":
        return None
    manifest = root / "core" / "Cargo.toml"
    command = [
        cargo,
        "build",
        "--release",
        "--offline",
        "--manifest-path",
        str(manifest),
    ]
    try:
        built = subprocess.run(  # noqa: S603 - cargo, as found on the path
            command, capture_output=True, text=True, check=False
        )
    except OSError as error:
        print(f"The compiled core is left out: {error}", file=sys.stderr)
        return None
    if built.returncode != 0:
        print(f"The compiled core is left out:\n{built.stderr}", file=sys.stderr)
        return None
    name = _LIBRARIES.get(sys.platform, "libscythe_core.so")
    target = Path(os.environ.get("CARGO_TARGET_DIR", root / "core" / "target"))
    place = root / "src" / "scythe" / "core" / name.removeprefix("lib")
    fresh = place.with_suffix(".new")
    shutil.copyfile(target / "release" / name, fresh)
    fresh.replace(place)  # at once: a process may have the old one loaded
    return place
