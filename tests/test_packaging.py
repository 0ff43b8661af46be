"""The package under the name that it has on PyPI."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from scythe.version import DISTRIBUTION, installed_version

ROOT = Path(__file__).parent.parent
OTHER_PROJECT = re.compile(
    r"(?<![\w-])scythe\[[a-z]|pip\w* install [^\n]*[ \"']scythe\b"
)
"""Ways to ask for the package that would fetch a project of another name."""
SAFE_SINCE = {"starlette": (1, 3), "httpx2": (2, 12)}
"""Versions before which a crafted Host went past the token of the web app, and a body
packed twice took gigabytes.
"""


def test_the_name_on_pypi_is_the_one_that_is_installed() -> None:
    assert f'name = "{DISTRIBUTION}"' in (ROOT / "pyproject.toml").read_text()
    assert installed_version()


def test_nobody_is_told_to_install_the_other_project() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "src", "docs", "tests", "examples", "*.md", "*.toml"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    for name in listed.stdout.split():
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".html", ".yml"}:
            assert not OTHER_PROJECT.search(path.read_text(encoding="utf-8")), name


def test_no_version_with_a_known_hole_is_allowed() -> None:
    asked = re.findall(
        r'"(starlette|httpx2)>=(\d+)\.(\d+)"', (ROOT / "pyproject.toml").read_text()
    )
    assert {name for name, *_ in asked} == SAFE_SINCE.keys()
    for name, major, minor in asked:
        assert (int(major), int(minor)) >= SAFE_SINCE[name], name
    text = (ROOT / "pyproject.toml").read_text()
    assert len(re.findall(r'"(?:starlette|httpx2)[\["<=>~!]', text)) == len(asked)
