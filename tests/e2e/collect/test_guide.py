"""The five commands of the guide, as it has them, lead from nothing to a table."""

from __future__ import annotations

import os
import re
import shlex
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "guides" / "collect.md").read_text(encoding="utf-8")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def commands() -> list[str]:
    found = re.search(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
    assert found
    return found.group(1).replace("8765", str(free_port())).strip().splitlines()


def run(command: str, folder: Path) -> str:
    words = shlex.split(command)
    assert words[0] == "scythe"
    environment = {**os.environ, "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_five_commands_make_a_table(tmp_path: Path) -> None:
    serve, add, first_run, accept, query = commands()
    served = shlex.split(serve.removesuffix("&"))
    server = subprocess.Popen(
        [sys.executable, str(ROOT / served[1]), served[2]],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout
        assert "demo site" in server.stdout.readline()
        assert "added kitchen" in run(add, tmp_path)
        told = run(first_run, tmp_path)
        assert "scythe collect accept kitchen" in told
        assert "30 ok" in run(accept, tmp_path)
        program, file, statement = shlex.split(query)
        assert program == "sqlite3"
        connection = sqlite3.connect(tmp_path / file)
        rows = connection.execute(statement).fetchall()
        connection.close()
        assert len(rows) == 5
        assert all("no. " in title and minutes >= 10 for title, minutes in rows)
        db = "--db kitchen.db"
        assert "declared:title" in run(f"scythe collect slots kitchen {db}", tmp_path)
        assert "no known record has an address like it" in run(
            f"scythe collect links kitchen --decision skip {db}", tmp_path
        )
        assert "records_kitchen" in run(f"scythe collect status {db}", tmp_path)
        assert run(f"scythe collect export kitchen --to csv {db}", tmp_path).startswith(
            "record_id,record_url,title"
        )
        assert "<rss" in run(f"scythe collect feed kitchen {db}", tmp_path)
        assert run(f"scythe collect review kitchen {db}", tmp_path) == ""
        assert "removed kitchen" in run(f"scythe collect remove kitchen {db}", tmp_path)
    finally:
        server.terminate()
        server.wait(30)
