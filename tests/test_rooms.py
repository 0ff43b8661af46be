"""The rooms of the project, and the one direction in which they know each other.

`docs/architecture.md` draws them. A room is a folder of `src/scythe`, a sub-room a folder
in it; a module that stands alone counts as a room of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import scythe

SOURCE = Path(scythe.__file__).parent

LEAVES = {
    "closing",
    "errors",
    "logins",
    "urls",
    "kinds",
    "media",
    "boosting",
    "serialization",
    "spreadsheets",
    "exporters",
    "processes",
    "version",
    "plugins",
}

MAY_IMPORT: Mapping[str, set[str]] = {
    "closing": set(),
    "errors": {"logins"},
    "logins": set(),
    "kinds": set(),
    "media": set(),
    "boosting": {"core"},
    "processes": set(),
    "version": set(),
    "plugins": {"errors"},
    "urls": {"errors", "logins"},
    "serialization": {"errors"},
    "spreadsheets": {"errors"},
    "exporters": {"plugins", "spreadsheets"},
    "core": set(),
    "tree": {"errors", "logins", "urls", "core"},
    "align": {"tree"},
    "sections": {*LEAVES, "core", "tree", "align"},
    "render": {"closing", "errors", "urls", "tree"},
    "sources": {"errors", "logins", "urls", "media", "version", "tree.limits"},
    "store": {"closing", "errors"},
    "content": {*LEAVES, "core", "tree", "render.shared", "sections"},
    "wrappers": {*LEAVES, "tree", "sections", "render.shared", "content.status"},
    "templates": {
        *LEAVES,
        "core",
        "tree",
        "align.forest",
        "align.matching",
        "content.document",
        "content.extract",
        "content.metadata",
        "content.methods.learned.blocks",
        "content.methods.learned.decision",
    },
    "engines": {
        *LEAVES,
        "tree",
        "render",
        "sources",
        "store",
        "content.status",
        "content.metadata.jsonld",
        "sections.fields",
        "sections.record",
        "sections.span",
        "wrappers",
    },
    "collect": {
        *LEAVES,
        "tree",
        "align.forest",
        "render",
        "sources.compression",
        "sources.crawl_policy",
        "store",
        "content.status",
        "content.junk.icons",
        "content.metadata",
        "wrappers.find",
        "wrappers.paging_terms",
        "templates",
    },
    "bulk": {*LEAVES, "tree", "sources", "content", "wrappers", "templates"},
    "web": {
        *LEAVES,
        "tree",
        "render",
        "sources",
        "content",
        "sections.span",
        "wrappers",
        "templates.slot",
        "templates.template.notices",
        "engines",
        "collect",
    },
    "compat": {
        "errors",
        "tree",
        "sources.fetching",
        "content.document",
        "content.extract",
        "content.metadata",
        "content.options",
        "content.selection",
    },
    "integrations": {
        *LEAVES,
        "tree",
        "sources",
        "content.document",
        "content.extract",
        "content.options",
        "wrappers.find",
        "wrappers.record",
        "wrappers.wrapper",
        "templates.declared.record",
        "templates.page_records",
        "templates.template.template",
        "engines.registry",
        "collect.catalogue",
        "collect.collection",
        "collect.facade.pages",
        "collect.search",
    },
    "cli": {
        *LEAVES,
        "core",
        "tree",
        "render",
        "sources",
        "content",
        "sections.fields",
        "wrappers",
        "templates",
        "engines",
        "collect",
        "bulk",
        "integrations",
        "web.serving",
        "web.server.settings",
    },
    "__init__": {
        "errors",
        "tree",
        "content",
        "sections.record",
        "wrappers",
        "templates",
        "engines",
        "collect",
    },
    "__main__": {"cli.main"},
}
"""What each room may import: whole rooms, or single modules of one."""

MOST_MODULES = 15
"""Modules that stand beside each other in one folder."""


@cache
def imports() -> Mapping[str, set[str]]:
    """Return for each module the modules of this project that it imports anywhere."""
    paths = {_module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}
    return {
        name: set(_imported(path, paths.keys() | {""})) for name, path in paths.items()
    }


def _module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _imported(path: Path, known: set[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            yield from (
                name.removeprefix("scythe.") for name in names if "scythe." in name
            )
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports by a relative name"
            module = node.module or ""
            if module == "scythe" or module.startswith("scythe."):
                for alias in node.names:
                    name = f"{module}.{alias.name}".removeprefix("scythe.")
                    package = module.removeprefix("scythe").lstrip(".")
                    yield name if name in known else package


def room(module: str) -> str:
    """Return the room that a module is in."""
    return module.partition(".")[0] or "__init__"


def sub_room(module: str) -> str:
    """Return the sub-room that a module is in, or the module where it is in none."""
    parts = module.split(".")
    return ".".join(parts[:2])


def cycle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return a cycle of a graph, or nothing where it has none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_rooms_import_only_what_they_may() -> None:
    wrong = []
    for module, others in imports().items():
        allowed = MAY_IMPORT[room(module)]
        for other in others:
            is_own = room(other) == room(module)
            is_allowed = any(f"{other}.".startswith(f"{name}.") for name in allowed)
            if not is_own and not is_allowed:
                wrong.append(f"{module} imports {other}")
    assert not wrong


def test_no_room_may_import_what_it_does_not() -> None:
    unused = []
    for name, allowed in MAY_IMPORT.items():
        used = {
            other
            for module, others in imports().items()
            for other in others
            if room(module) == name
        }
        unused += [
            f"{name} may import {permission}, and does not"
            for permission in allowed - LEAVES
            if not any(f"{other}.".startswith(f"{permission}.") for other in used)
        ]
    assert not unused


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not cycle(imports())


def test_no_sub_rooms_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module, others in imports().items():
        known = graph.setdefault(sub_room(module), set())
        known.update(sub_room(other) for other in others)
        known.discard(sub_room(module))
    assert not cycle(graph)


def test_no_folder_has_too_many_modules() -> None:
    counts: dict[str, int] = {}
    for path in SOURCE.rglob("*.py"):
        if path.name != "__init__.py":
            folder = str(path.parent.relative_to(SOURCE))
            counts[folder] = counts.get(folder, 0) + 1
    assert not {folder for folder, count in counts.items() if count > MOST_MODULES}
