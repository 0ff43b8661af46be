"""Whatever goes wrong, the command line shows one line and an exit code, never a
traceback.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import scythe.cli.commands.extract
import scythe.cli.extraction
from loopback import ARTICLE
from scythe.cli.main import app
from scythe.cli.output.document_warnings import document_warnings
from scythe.cli.output.messages import one_line
from scythe.content.extract import extract
from scythe.content.status import Status


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["extract", *map(str, arguments)])


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "mowing.html"
    path.write_text(ARTICLE)
    return path


def failing(error: BaseException) -> object:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail


def test_a_fault_of_ours_in_one_page_is_one_line_with_how_to_report_it(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        scythe.cli.extraction, "extract", failing(ZeroDivisionError("by zero"))
    )
    result = run(page)
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(
        f"error: {page}: unexpected ZeroDivisionError: by zero."
    )
    assert "report" in result.stderr


def test_the_traceback_is_shown_on_request(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCYTHE_DEBUG", "1")
    monkeypatch.setattr(
        scythe.cli.extraction, "extract", failing(ZeroDivisionError("by zero"))
    )
    assert "Traceback" in run(page).stderr


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "stopped."),
        (ZeroDivisionError("by zero"), 1, "unexpected ZeroDivisionError"),
        (MemoryError(), 1, "memory"),
        (OSError(28, "No space left on device"), 1, "No space left"),
    ],
)
def test_what_stops_the_whole_command(
    page: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    said: str,
) -> None:
    monkeypatch.setattr(
        scythe.cli.commands.extract, "choose_destination", failing(error)
    )
    result = run(page)
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


@given(st.binary(max_size=400))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_any_bytes_give_a_result_or_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(data)
    result = run(path, "-f", "json")
    assert result.exit_code in (0, 1)
    assert "unexpected" not in result.stderr
    assert all(
        line.startswith(("warning: ", "error: ")) for line in result.stderr.splitlines()
    )


@given(st.text())
def test_a_message_is_one_line_that_steers_no_terminal(text: str) -> None:
    line = one_line(text)
    assert line.encode().decode().splitlines() in ([], [line])
    assert "\x1b" not in line


@pytest.mark.parametrize(
    "status",
    [status for status in Status if status not in (Status.OK, Status.TRUNCATED)],
)
def test_every_status_but_ok_is_explained(status: Status) -> None:
    (warning,) = document_warnings(replace(extract(ARTICLE), status=status))
    assert warning.count(". ") >= 1


@pytest.mark.parametrize("limit", ["bytes", "nodes", "depth"])
def test_every_limit_that_cut_a_page_is_explained(limit: str) -> None:
    (warning,) = document_warnings(
        replace(extract(ARTICLE), status=Status.TRUNCATED, cut=(limit,))
    )
    assert warning.startswith("it ")
