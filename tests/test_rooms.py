"""The rooms of the project and the one direction in which they may know each other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import scythe

SOURCE = Path(scythe.__file__).parent
COLUMNS = (
    {"errors", "boosting", "kinds", "processes", "saved"},
    {"tree", "sources", "store"},
    {"align"},
    {"content", "wrappers", "templates"},
    {"engines", "collect", "bulk"},
    {"web", "cli"},
    {"__init__", "__main__"},
)
"""From left to right: no room imports from a column to the right of its own."""

ONLY = {"sources": {"errors", "tree.limits"}, "tree": {"errors"}, "store": {"errors"}}
"""What rooms that stand beside each other may know at most."""


def column(room: str) -> int:
    (place,) = [place for place, rooms in enumerate(COLUMNS) if room in rooms]
    return place


def modules() -> list[tuple[str, Path]]:
    return [
        (path.relative_to(SOURCE).parts[0].removesuffix(".py"), path)
        for path in sorted(SOURCE.rglob("*.py"))
    ]


def imported(path: Path) -> set[str]:
    """The modules of this project that a module imports anywhere in it, without the
    leading `scythe.`.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, (
                f"{path} imports by a relative name: write the whole one"
            )
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {
        name.removeprefix("scythe.") for name in names if name.startswith("scythe.")
    }


def uses() -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {}
    for room, path in modules():
        graph.setdefault(room, set()).update(
            name.partition(".")[0] for name in imported(path)
        )
    return {room: others - {room} for room, others in graph.items()}


@pytest.mark.parametrize(
    ("room", "path"),
    modules(),
    ids=lambda value: value.name if isinstance(value, Path) else value,
)
def test_no_module_imports_from_the_right(room: str, path: Path) -> None:
    for name in imported(path):
        other = name.partition(".")[0]
        assert column(other) <= column(room), f"{room} may not know {name}"
        if other != room and room in ONLY:
            assert any(f"{name}.".startswith(f"{known}.") for known in ONLY[room]), (
                f"{room} may not know {name}"
            )


def test_no_rooms_know_each_other() -> None:
    graph = uses()
    while leaves := {room for room in graph if not graph[room] & graph.keys()}:
        graph = {room: others for room, others in graph.items() if room not in leaves}
    assert not graph, f"these rooms import each other in a circle: {graph}"
