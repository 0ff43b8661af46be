"""The documentation does what it says: the Python of every page runs, and its commands
print what it shows.

A page is run from top to bottom by `doc_runner`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import doc_folder
import example_plugin
from doc_runner import BLOCK, wishes
from doc_sites import DocSites
from pretend_public import public_environment

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")))
    if BLOCK.search(page.read_text(encoding="utf-8"))
]
SETTINGS = "delay = 0.0\n"
"""Sites of our own need no pauses."""


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocSites]:
    with DocSites(tmp_path_factory.mktemp("sites")) as running:
        yield running


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path, sites: DocSites) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    doc_folder.fill(folder)
    settings = tmp_path / "scythe.toml"
    settings.write_text(SETTINGS)
    plugin = example_plugin.install(tmp_path / "plugins")
    environment = public_environment(plugin) | sites.environment
    done = subprocess.run(
        [sys.executable, str(TESTS / "doc_runner.py"), str(page), str(folder)],
        cwd=folder / "examples" if page.parent.name == "tutorials" else folder,
        env={
            **environment,
            "SCYTHE_DB": str(folder / "kitchen.db"),
            "SCYTHE_CONFIG": str(settings),
            "SCYTHE_CHROMIUM": str(folder / "no-browser"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]


def test_each_wish_has_a_command() -> None:
    assert len(wishes(ROOT / "docs" / "wishes.md")) == 20
