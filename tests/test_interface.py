"""What other programs build on: the public names, the exceptions, the cost of the
import, the same answer every time.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import scythe
import scythe.errors
from scythe.core.library import is_built

EXAMPLE = Path(__file__).parent.parent / "examples" / "harvest.html"


def python(code: str, **environment: str) -> str:
    command = [sys.executable, "-c", code, str(EXAMPLE)]
    done = subprocess.run(
        command,
        env=os.environ | environment,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout


def test_the_public_names() -> None:
    assert " ".join(scythe.__all__) == (
        "Clusters Collection Document Engine ExtractOptions Limits Record Records"
        " Registry ScytheError Status Template Tree Wrapper extract extract_many learn parse read_page records"
        " search suggest"
    )


def test_every_public_name_is_explained() -> None:
    for name in scythe.__all__:
        assert inspect.getdoc(getattr(scythe, name)), name


def test_every_exception_has_the_common_base_and_stands_in_the_drawing() -> None:
    drawing = scythe.errors.__doc__ or ""
    for name, kind in inspect.getmembers(scythe.errors, inspect.isclass):
        assert issubclass(kind, scythe.ScytheError)
        assert f" {name} " in drawing or name == "ScytheError"


def test_the_library_loads_nothing_of_the_network_or_the_command_line() -> None:
    loaded = python("import scythe, sys; print(*sys.modules)").split()
    assert not {
        "httpx2",
        "sqlalchemy",
        "typer",
        "rich",
        "scythe.sources",
        "scythe.cli",
    }.intersection(loaded)


def test_extracting_a_file_loads_no_network_and_no_pool() -> None:
    code = """
import sys
from scythe.cli.main import app
app(["extract", sys.argv[1]], standalone_mode=False)
print(*sys.modules)
"""
    loaded = python(code).split()
    assert not {
        "httpx2",
        "sqlalchemy",
        "concurrent.futures.process",
        "rich.progress",
        "pydantic",
    }.intersection(loaded)


def test_where_the_core_is_at_work_the_other_parser_is_not_loaded() -> None:
    if not is_built():
        pytest.skip("the compiled core is not built")
    code = """
import pathlib, sys
import scythe
scythe.extract(pathlib.Path(sys.argv[1]).read_bytes()).text
print(*sys.modules)
"""
    assert "turbohtml" not in python(code, SCYTHE_CORE="1").split()


def test_the_same_page_gives_the_same_bytes_in_every_process() -> None:
    code = """
import json, pathlib, sys
import scythe
from scythe.content.extract import METHODS
page = pathlib.Path(sys.argv[1]).read_bytes()
for method in ["auto", *METHODS]:
    print(json.dumps(scythe.extract(page, "https://courier.example/", method).to_dict()))
"""
    first, second = (python(code, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first
    assert first == second
