"""The tutorials do what they say: their Python runs, their commands print what they
show.

A page is run from top to bottom in a copy of `examples`. Commands that need a site are
checked for their options alone.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scythe.cli.catalogue import SUMMARIES, load_command

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("docs/tutorials/*.md")),
    *sorted(ROOT.glob("docs/coming-from*.md")),
    ROOT / "docs" / "guides" / "configuration.md",
]
BLOCK = re.compile(r"```(python|console)\n(.*?)```", re.DOTALL)
OF_SITES = ("scythe collect ", "scythe engine ", "scythe search ")
ANYTHING = "..."
"""In an expected line: what stands there is not compared; alone: the whole output."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", folder)
    monkeypatch.chdir(folder)
    namespace: dict[str, Any] = {}
    for language, code in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            exec(compile(code, page.name, "exec"), namespace)
        else:
            for command, expected in commands(code):
                check_command(command, expected)


def test_each_wish_has_a_command_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SCYTHE_DB", str(tmp_path / "wishes.db"))
    page = (ROOT / "docs" / "wishes.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| [^|]+ \| `([^`]+)` \|", page, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 21))
    for command in dict.fromkeys(command for _, command in rows):
        check_command(command, [ANYTHING])


def commands(block: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a console block with the lines that it shows."""
    for part in block.split("$ ")[1:]:
        command, *lines = part.rstrip("\n").split("\n")
        yield command, lines


def check_command(command: str, expected: list[str]) -> None:
    if command.startswith(OF_SITES):
        require_known(shlex.split(command))
        return
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 141), done.stderr
    if expected == [ANYTHING]:
        return
    lines = done.stdout.splitlines()
    assert len(lines) == len(expected), done.stdout
    for line, pattern in zip(lines, expected, strict=True):
        wanted = ".*".join(map(re.escape, pattern.split(ANYTHING)))
        assert re.fullmatch(wanted, line.strip()) or line == pattern, line


def require_known(words: list[str]) -> None:
    """Fail where a command has no such subcommand or option."""
    assert words[1] in SUMMARIES, words
    command = load_command(words[1])
    for word in words[2:]:
        if word in getattr(command, "commands", {}):
            command = command.commands[word]
        elif word.startswith("-"):
            known = {
                option for parameter in command.params for option in parameter.opts
            }
            assert word in known, f"{' '.join(words)}: {word}"
