"""The files by which others build, test and run the project: what can be said of them
without their programs. `make lint-deployment` asks those.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchmarks.container import copy_context, parse_instructions, parse_recipe

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yml"))
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40}")


def extras() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return set(project["optional-dependencies"])


def steps(workflow: Path) -> Iterator[dict[str, Any]]:
    for job in yaml.safe_load(workflow.read_text())["jobs"].values():
        yield from job["steps"]


def test_the_image_installs_extras_that_there_are() -> None:
    recipe = parse_recipe((ROOT / "Dockerfile").read_text())
    (requirement,) = (word for word in recipe.install if word.startswith(".["))
    assert set(requirement[2:-1].split(",")) <= extras()
    assert recipe.command[:2] == ["scythe", "serve"]
    assert recipe.settings == {"SCYTHE_DB": "sqlite:////data/scythe.db"}


def test_the_image_runs_without_rights_and_can_be_watched() -> None:
    instructions = parse_instructions((ROOT / "Dockerfile").read_text())
    names = [name for name, _ in instructions]
    assert ("USER", "1000") in instructions
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert {"HEALTHCHECK", "VOLUME", "EXPOSE"} <= set(names)
    assert ("ARG", "CHROMIUM=0") in instructions


def test_an_image_is_built_from_the_package_alone(tmp_path: Path) -> None:
    copy_context(ROOT, tmp_path / "context")
    copied = {path.name for path in (tmp_path / "context").iterdir()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {"src", "pyproject.toml", "hatch_build.py", project["readme"], "LICENSE"}
    assert needed <= copied <= needed | {"core"}
    assert not list((tmp_path / "context").rglob("scythe_core.*"))
    assert not list((tmp_path / "context").rglob("__pycache__"))


def test_the_compose_file_has_no_password_of_its_own() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    app, database = services["scythe"]["environment"], services["database"]
    assert "${POSTGRES_PASSWORD:?" in app["SCYTHE_DB"]
    assert app["SCYTHE_TOKEN"].startswith("${SCYTHE_TOKEN:?")
    assert database["environment"]["POSTGRES_PASSWORD"].startswith("${")
    assert services["scythe"]["depends_on"]["database"]["condition"] == (
        "service_healthy"
    )
    assert all(port.startswith("127.0.0.1:") for port in services["scythe"]["ports"])


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_use_pinned_actions_and_tasks_that_there_are(workflow: Path) -> None:
    assert yaml.safe_load(workflow.read_text())["permissions"] == {"contents": "read"}
    tasks = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    for step in steps(workflow):
        if action := step.get("uses"):
            assert PINNED.fullmatch(action), action
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False
        for line in step.get("run", "").splitlines():
            words = line.split()
            if words[0] == "make":
                assert set(words[1:]) <= tasks


def test_the_suite_runs_on_every_python_that_is_supported() -> None:
    tests = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())
    versions = tests["jobs"]["suite"]["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
