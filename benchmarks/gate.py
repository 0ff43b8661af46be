"""The gate on the data folder: no figure of ours may fall below its pinned floor, by
set, method and page type.

python -m benchmarks.gate [DATA] [--pin [--allow-lower]]

It reads what `python -m benchmarks.content [DATA]` measured last. Floors only rise with
`--pin`; lowering one takes `--allow-lower` as well, so that quality goes down on
purpose or not at all.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import arguments, content_folder, last_figures, table

FLOORS = Path(__file__).parent / "floors.json"
OURS = "scythe "
SLACK = 0.002
"""What a figure may lose without failing. On wcxb 0.002 is three whole pages of 1,497,
or one of about 500: less is noise.
"""

Figures = Mapping[str, float]
Floors = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Pinned:
    """The floors, and the sets of pages that they were measured on."""

    floors: Floors
    corpora: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> Pinned:
        """Read a floors file; a missing one pins nothing."""
        if not path.exists():
            return cls({}, {})
        stored = json.loads(path.read_text("utf-8"))
        return cls(stored["floors"], stored["corpora"])

    def write(self, path: Path) -> None:
        """Write the file in an order that makes changes easy to read."""
        stored = {"corpora": self.corpora, "floors": self.floors}
        path.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", "utf-8")


@dataclass(frozen=True, slots=True)
class Check:
    """One figure beside its floor."""

    row: str
    figure_name: str
    figure: float | None
    floor: float

    @property
    def passed(self) -> bool:
        """Whether the floor holds. A figure that was not measured may have fallen to
        anything.
        """
        return self.figure is not None and self.figure >= self.floor

    def cells(self) -> list[object]:
        """Return the row of the table."""
        if self.figure is None:
            return [self.row, self.figure_name, "not measured", self.floor, "", "BELOW"]
        return [
            self.row,
            self.figure_name,
            self.figure,
            self.floor,
            self.figure - self.floor,
            "" if self.passed else "BELOW",
        ]


def main() -> None:
    parser = arguments("Compare our figures with their pinned floors.")
    parser.add_argument(
        "--pin", action="store_true", help="raise the floors to the figures of today"
    )
    parser.add_argument(
        "--allow-lower",
        action="store_true",
        help="with --pin: lower them too where figures have fallen",
    )
    options = parser.parse_args()
    if options.allow_lower and not options.pin:
        parser.error("--allow-lower goes with --pin.")
    measured = our_figures()
    pinned = Pinned.read(FLOORS)
    if options.pin:
        pinned = repinned(
            pinned, measured, corpora(options.data, measured), lower=options.allow_lower
        )
        pinned.write(FLOORS)
    sys.exit(0 if judge(pinned, measured, corpora(options.data, pinned.floors)) else 1)


def judge(
    pinned: Pinned, measured: Mapping[str, Figures], present: Mapping[str, str]
) -> bool:
    """Print every figure beside its floor, and say whether all of them hold on the
    pages they were pinned on.
    """
    found = checks(pinned.floors, measured)
    header = ["set/method", "figure", "now", "floor", "margin", ""]
    print(table("Quality gate", header, [check.cells() for check in found]))
    changed = [
        name for name, digest in present.items() if pinned.corpora.get(name) != digest
    ]
    for name in changed:
        print(
            f"The pages of {name} are not those on which its floors were pinned: "
            "measure again and use --pin --allow-lower."
        )
    below = sum(not check.passed for check in found)
    if not found:
        print("Nothing is pinned yet: use --pin.")
    elif below:
        print(f"{below} of {len(found)} figures are below their floors.")
    return bool(found) and not below and not changed


def our_figures() -> dict[str, Figures]:
    """Return the F1 figures of the last run, of each set and each method of ours."""
    rows = sorted(last_figures("content").items())
    if not rows:
        sys.exit(
            "There are no figures to compare. Run `python -m benchmarks.content` first."
        )
    return {
        row: {
            name: value
            for name, value in values.items()
            if name == "f1" or name.startswith("f1 ")
        }
        for row, values in rows
        if row.partition("/")[2].startswith(OURS)
    }


def checks(floors: Floors, measured: Mapping[str, Figures]) -> list[Check]:
    """Return each floor with its figure; a floor whose figure was not measured does not
    pass.
    """
    return [
        Check(row, name, measured.get(row, {}).get(name), floor)
        for row, values in sorted(floors.items())
        for name, floor in sorted(values.items())
    ]


def repinned(
    pinned: Pinned,
    measured: Mapping[str, Figures],
    present: dict[str, str],
    *,
    lower: bool,
) -> Pinned:
    """Return today's floors. Changed pages of a set are accepted only where floors may
    fall: the old floors say nothing of them.
    """
    return Pinned(
        raised(pinned.floors, measured, lower=lower),
        pinned.corpora | present if lower else present | pinned.corpora,
    )


def raised(floors: Floors, measured: Mapping[str, Figures], *, lower: bool) -> Floors:
    """Return the floors that today's figures allow. What was not measured today keeps
    its floor.
    """
    result = {row: dict(values) for row, values in floors.items()}
    for row, figures in measured.items():
        kept = result.setdefault(row, {})
        for name, figure in figures.items():
            floor = floor_of(figure)
            kept[name] = floor if lower else max(floor, kept.get(name, 0.0))
    return result


def floor_of(figure: float) -> float:
    """Rounded down to three decimals, less the slack."""
    return max(0.0, round(math.floor(figure * 1000 + 1e-9) / 1000 - SLACK, 3))


def corpora(data: Path, rows: Mapping[str, object]) -> dict[str, str]:
    """Return a digest of the file names and sizes of each set that the rows name, so
    that a changed set is noticed.
    """
    sets = sorted({row.partition("/")[0] for row in rows})
    return {name: digest(content_folder(data, name)) for name in sets}


def digest(folder: Path) -> str:
    """Return a digest of the names and sizes of all files, which suffice: pages are
    replaced or added, not edited to the same length.
    """
    files = sorted(
        (path.relative_to(folder).as_posix(), path.stat().st_size)
        for path in folder.rglob("*")
        if path.is_file()
    )
    return hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()
