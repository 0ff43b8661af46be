"""The guides use public names only, and their links lead somewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import scythe

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]
PUBLIC = (
    "scythe",
    "scythe.bulk",
    "scythe.errors",
    "scythe.sources",
    "scythe.wrappers.export",
    "scythe.compat",
)
FRAMEWORKS = "scythe.integrations."
"""Public too; the frameworks they load are not everywhere, and have tests of their own."""


def python_nodes(page: Path) -> Iterator[ast.AST]:
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        yield from ast.walk(ast.parse(block))


def import_all_from(module: str, names: list[ast.alias]) -> None:
    found = import_module(module)
    for alias in names:
        if not hasattr(found, alias.name):
            import_module(f"{module}.{alias.name}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_use_public_names(page: Path) -> None:
    for node in python_nodes(page):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("scythe"):
            if str(node.module).startswith(FRAMEWORKS):
                continue
            assert node.module in PUBLIC
            import_all_from(node.module, node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert node.value.id != "scythe" or node.attr in scythe.__all__, node.attr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for address in re.findall(r"\]\(([^)]+)\)", prose):
        if not address.startswith("http"):
            file_name = address.partition("#")[0]
            target = page.parent / file_name if file_name else page
            assert target.exists(), address
