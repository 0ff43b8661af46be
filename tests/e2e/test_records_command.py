"""The records commands with a real browser: pages that scripts build, pictures, nothing
left running.
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from engine_pages import no_result_page, result_page
from loopback import Loopback
from scythe.render import Browser

COMMAND = (sys.executable, "-m", "scythe")
SCRIPTED = """<!DOCTYPE html><html><body><h1>Tools</h1><ol id=results></ol><script>
for (let n = 0; n < 8; n++) document.querySelector("ol").insertAdjacentHTML("beforeend",
  `<li class=hit><h3><a href="/tool/${n}">Tool number ${n}</a></h3><p>It cuts ${n} rows of barley and binds them.</p></li>`)
</script></body></html>"""


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", timeout=120
    )


def test_a_terminal_gets_a_drawn_table(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        result_page(0).replace("The barley", "The \x9b31m barley")
    )
    ours, theirs = pty.openpty()
    command = [*COMMAND, "records", "--no-render", str(tmp_path / "page.html")]
    environment = os.environ | {"COLUMNS": "100", "TERM": "xterm"}
    done = subprocess.Popen(
        command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment
    )
    os.close(theirs)
    written = b""
    with contextlib.suppress(
        OSError
    ):  # the terminal is gone when the command has ended
        while piece := os.read(ours, 65536):
            written += piece
    os.close(ours)
    assert done.wait() == 0
    text = written.decode()
    assert "────" in text
    assert "\x9b" not in text
    assert "\ufffd[" not in text
    assert sum("/item/" in line for line in text.splitlines()) == 10


@pytest.mark.usefixtures("browser")
def test_a_page_that_its_scripts_build_is_opened_in_the_browser(web: Loopback) -> None:
    web.add("/tools", SCRIPTED.encode())
    done = run("records", web.url("/tools"), "--render", "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["link"] for row in rows] == [
        web.url(f"/tool/{number}") for number in range(8)
    ]
    assert (
        run("records", web.url("/tools"), "--no-render", "--format", "jsonl").stdout
        == ""
    )


def test_records_are_drawn_into_a_picture(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(result_page(0))
    done = run(
        "records",
        tmp_path / "page.html",
        "--show",
        tmp_path / "page.png",
        "-o",
        tmp_path / "rows.csv",
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG\r\n")
    assert len((tmp_path / "rows.csv").read_text().splitlines()) > 10


def test_boxes_are_seen_on_every_record(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(result_page(0))
    run("records", tmp_path / "page.html", "--show", tmp_path / "shown.html")
    tree = browser.render((tmp_path / "shown.html").read_bytes())
    assert tree.box is not None
    boxes = list(tree.with_attribute("data-scythe-box"))
    assert len(boxes) == 10
    assert all(tree.box[node][2] > 100 and tree.box[node][3] > 20 for node in boxes)


@pytest.mark.usefixtures("browser")
def test_a_wrapper_learned_in_the_browser_is_applied_without(tmp_path: Path) -> None:
    pages = [tmp_path / f"{number}.html" for number in range(4)]
    for number, path in enumerate(pages):
        path.write_text(result_page(number))
    (tmp_path / "none.html").write_text(no_result_page())
    learned = run(
        "wrapper",
        "learn",
        "--render",
        *pages[:3],
        "--no-result",
        tmp_path / "none.html",
        "-o",
        tmp_path / "w.json",
    )
    assert learned.returncode == 0, learned.stderr
    done = run("wrapper", "apply", tmp_path / "w.json", pages[3], "-f", "jsonl")
    assert [json.loads(line)["link"] for line in done.stdout.splitlines()] == [
        f"/item/{number}" for number in range(30, 40)
    ]
