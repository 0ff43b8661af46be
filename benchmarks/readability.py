"""How dense the code is beside that of other projects, and which of our names are old words.

    python -m benchmarks.readability [FOLDER]... [--names]

Prints for `src/scythe`, and for every other folder given (a checkout of any project), the
syntax-tree nodes per line of function body, comprehensions per 100 lines, the share of
lines over 100 characters, and the largest number of modules side by side. `--names` lists
the names in `src/scythe` that use a word which the glossary of CONTRIBUTING.md replaced.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import table

SOURCE = Path(__file__).parent.parent / "src" / "scythe"
LONG_LINE = 100
MODULES_IN_A_FOLDER = 15

OLD_WORDS = frozenset(
    "desk each fate going hear kid kids manners place placed places proposal proposals "
    "propose proposed said sameness say says sure tell telling thing things told "
    "unwanted want wanted wanting wants".split()
)
"""Words of the first version that the glossary replaced; none is part of a name now."""

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True)
class Readability:
    """The counts of one tree of source files."""

    body_nodes: int
    body_lines: int
    comprehensions: int
    lines: int
    long_lines: int
    most_modules: int

    @property
    def density(self) -> float:
        """Syntax-tree nodes per line of function body."""
        return self.body_nodes / max(self.body_lines, 1)

    @property
    def comprehensions_per_100_lines(self) -> float:
        """Comprehensions and generator expressions in function bodies."""
        return 100 * self.comprehensions / max(self.body_lines, 1)

    @property
    def long_line_share(self) -> float:
        """The share of lines over 100 characters."""
        return self.long_lines / max(self.lines, 1)


def measure(folder: Path) -> Readability:
    """Return the counts of all Python files below a folder."""
    body_nodes = body_lines = comprehensions = lines = long_lines = 0
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        text_lines = source.splitlines()
        lines += len(text_lines)
        long_lines += sum(len(line) > LONG_LINE for line in text_lines)

        for statements in _function_bodies(ast.parse(source)):
            nodes = [node for statement in statements for node in ast.walk(statement)]
            body_nodes += len(nodes)
            comprehensions += sum(isinstance(node, _COMPREHENSIONS) for node in nodes)
            body_lines += _code_lines(text_lines, statements)
    return Readability(
        body_nodes, body_lines, comprehensions, lines, long_lines, _most_modules(folder)
    )


def old_names(folder: Path) -> list[tuple[Path, int, str]]:
    """Return file, line and name of every definition that uses an old word."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        for line, name in _defined_names(ast.parse(path.read_text(encoding="utf-8"))):
            words = {word.lower() for word in _WORD.findall(name)}
            if words & OLD_WORDS:
                found.append((path.relative_to(folder), line, name))
    return found


def _function_bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            statements = (
                node.body[1:] if ast.get_docstring(node) is not None else node.body
            )
            if statements:
                yield statements


def _code_lines(text_lines: list[str], statements: list[ast.stmt]) -> int:
    """Return the lines that statements take, without blank ones and comments."""
    last = statements[-1].end_lineno or statements[-1].lineno
    body = text_lines[statements[0].lineno - 1 : last]
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in body)


def _most_modules(folder: Path) -> int:
    modules = [path for path in folder.rglob("*.py") if path.name != "__init__.py"]
    counts: dict[Path, int] = {}
    for path in modules:
        counts[path.parent] = counts.get(path.parent, 0) + 1
    return max(counts.values(), default=0)


def _defined_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Density of code, beside other projects."
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument(
        "--names", action="store_true", help="list names that use old words"
    )
    given = parser.parse_args()

    if given.names:
        for path, line, name in old_names(SOURCE):
            print(f"{path}:{line}: {name}")
        return

    rows = []
    for folder in [SOURCE, *given.folders]:
        counts = measure(folder)
        rows.append(
            [
                folder.name,
                f"{counts.density:.1f}",
                f"{counts.comprehensions_per_100_lines:.1f}",
                f"{counts.long_line_share:.1%}",
                str(counts.most_modules),
            ]
        )
    header = (
        "project",
        "nodes per line",
        "comprehensions",
        "long lines",
        "modules a folder",
    )
    print(table("Readability", header, rows))


if __name__ == "__main__":
    main()
