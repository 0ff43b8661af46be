"""Does what a page of the documentation says, from top to bottom, and fails where that
does not work, or prints something else than the page shows:

    python tests/doc_runner.py PAGE FOLDER

It runs where a reader has the files of the folder (`doc_folder`), as a process of its own in
pretend-public mode, in which the sites of the page answer (`doc_sites`).
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import doc_folder
import scythe
from command_line import run_here
from scythe.cli.catalogue import SUMMARIES, load_command
from scythe.cli.main import PIPE_CLOSED

BLOCK = re.compile(r"```(python|console|sh)\n(.*?)```", re.DOTALL)
ROW = re.compile(r"^\| \d+ \| [^|]+ \| `([^`]+)` \|", re.MULTILINE)
"""A numbered row of a table with a command."""
ANYTHING = "..."
"""In an expected line: what stands there is not compared; alone: the whole output."""
CHECKED_ONLY = re.compile(
    r"scythe (serve|mcp)\b|collect watch|engine harvest|collect run --due"  # take long
    r"|s3://|--ray|postgresql://|collect name .*(label:|s\d+ )"  # machines and slots of the reader's
)
"""Commands of which only the options are checked."""
SHELL = re.compile(r"[|*<>&;$]|--show-completion")
"""Commands that a shell must run."""
OF_READERS = (
    "pip ",
    "python3 -m venv",
    "git clone",
    "make ",
    "export ",
    "python tests/",
)
"""What is installed and set up before."""
DEMO, STAND_IN = "http://127.0.0.1:8765/", "https://recipes.example/"


def run_page(page: Path, folder: Path) -> None:
    """Run the code of a page."""
    names: dict[str, Any] = {"scythe": scythe, **doc_folder.names(folder)}
    for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            run_python(block, names)
        else:
            for command, expected in commands(block, language):
                run_command(command, expected)
    for command in wishes(page):
        run_command(command, [ANYTHING])


def wishes(page: Path) -> list[str]:
    """Return the commands of the table of wishes, on the page that has it."""
    return ROW.findall(page.read_text(encoding="utf-8"))


def run_python(block: str, names: dict[str, Any]) -> None:
    """Run Python, unless a framework that it needs is not installed: `make integrations`
    has them all.
    """
    for module in re.findall(r"^(?:from|import) (\w+)", block, re.MULTILINE):
        if find_spec(module) is None:
            return
    for module in re.findall(r"^from scythe\.integrations\.(\w+)", block, re.MULTILINE):
        framework = {"langchain": "langchain_core", "llamaindex": "llama_index"}
        if find_spec(framework.get(module, module)) is None:
            return
    exec(compile(block, "block", "exec"), names)


def commands(block: str, language: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a block, with the lines that it shows where it shows some."""
    block = block.replace("\\\n", " ")
    if language == "sh":
        for line in block.splitlines():
            if line.strip() and not line.startswith("#"):
                yield line, [ANYTHING]
        return
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *lines = part.rstrip("\n").split("\n")
        yield command, lines


def run_command(command: str, expected: list[str]) -> None:
    """Run a command, and compare what it prints."""
    if command.startswith(OF_READERS):
        return
    command = with_values(command)
    if CHECKED_ONLY.search(command) and "--help" not in command:
        require_known(shlex.split(command, comments=True))
        return
    if command.startswith("scythe ") and not SHELL.search(command):
        done = run_here(shlex.split(command, comments=True)[1:])
    else:
        done = run_in_shell(command)
    told = f"{command}\n{done.stdout}{done.stderr}"
    assert done.returncode in (0, PIPE_CLOSED), told
    if expected and expected != [ANYTHING]:
        compare(command, done.stdout, expected)


def run_in_shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command with pipes and patterns, below a shell that stays: completion looks
    for the shell it is started from.
    """
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{without_missing(command)}\nexit $?"],
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
    )


def compare(command: str, output: str, expected: list[str]) -> None:
    """Fail where a command prints something else; a last line of dots stands for the
    rest.
    """
    lines = [line.rstrip() for line in output.splitlines()]
    if expected[-1] == ANYTHING:
        expected = expected[:-1]
        lines = lines[: len(expected)]
    shown = f"{command}\n{output}"
    assert len(lines) == len(expected), shown
    for line, pattern in zip(lines, expected, strict=True):
        wanted = ".*".join(map(re.escape, pattern.rstrip().split(ANYTHING)))
        is_exact = line == pattern.rstrip()
        assert is_exact or re.fullmatch(wanted, line.strip()), f"{shown}\n{pattern}"


def with_values(command: str) -> str:
    """Return a command with a record and an address of the site where the page has
    `KEY` and `URL`.
    """
    command = command.replace(DEMO, STAND_IN)
    if not re.search(r"\b(KEY|URL)\b", command):
        return command
    with scythe.Collection.open("kitchen") as kitchen:
        record = next(iter(kitchen.records()))
    return re.sub(r"\bURL\b", record.url, re.sub(r"\bKEY\b", record.key, command))


def without_missing(command: str) -> str:
    """Return a pipe up to the first program that this machine lacks."""
    parts = command.split(" | ")
    there = []
    for part in parts:
        if shutil.which(part.split()[0]) is None and part.split()[0] != "scythe":
            break
        there.append(part)
    return " | ".join(there) or "true"


def require_known(words: list[str]) -> None:
    """Fail where a command has no such subcommand or option."""
    assert words[0] == "scythe", words
    assert words[1] in SUMMARIES, words
    command = load_command(words[1])
    for word in words[2:]:
        if word in getattr(command, "commands", {}):
            command = command.commands[word]
        elif word.startswith("-") and len(word) > 1:
            known = {
                option for parameter in command.params for option in parameter.opts
            }
            assert word in known, f"{' '.join(words)}: {word}"


if __name__ == "__main__":
    run_page(Path(sys.argv[1]), Path(sys.argv[2]))
