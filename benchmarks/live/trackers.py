"""Trackers of bugs and tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from engines.serving import Site

from benchmarks.live.documents import Document, as_json
from benchmarks.live.launching import Command, free_port, run, served, with_package

_FILL_TRAC = """
import json, sys
from datetime import datetime
from trac.env import Environment
from trac.ticket.model import Ticket
from trac.util.datefmt import utc

environment = Environment(sys.argv[1])
for title, text, author, written in json.load(sys.stdin):
    ticket = Ticket(environment)
    ticket["summary"], ticket["description"] = title, text
    ticket["reporter"], ticket["status"] = author, "new"
    ticket.insert(datetime.fromisoformat(written))
"""
_FILL_ROUNDUP = """
import json, sys
from roundup import instance, date

tracker = instance.open(sys.argv[1])
database = tracker.open("admin")
for title, text, author, written in json.load(sys.stdin):
    message = database.msg.create(author="1", content=text, date=date.Date(written[:10]))
    database.issue.create(title=title, messages=[message], priority="1", status="1")
database.commit()
database.close()
"""


class Trac:
    """Trac: results as terms with descriptions, author and date in one line."""

    name = "trac"
    kind = "tracker"
    home = "/docs/search"
    needs: Mapping[str, str] = {}

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        python = [*with_package("trac", "setuptools<70"), "python"]
        project, script = folder / "docs", folder / "fill.py"
        script.write_text(_FILL_TRAC)
        creating: Command = ["-m", "trac.admin.console", project, "initenv", "docs"]
        run([*python, *creating, "sqlite:db/trac.db"], folder)
        run([*python, script, project], folder, text=as_json(documents))
        port = free_port()
        command: Command = [
            *python,
            "-m",
            "trac.web.standalone",
            "--hostname",
            "127.0.0.1",
        ]
        with served([*command, "--port", str(port), project], port, folder) as site:
            yield site

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""
        found = re.search(r"/ticket/(\d+)", url)
        return int(found[1]) if found else None


class Roundup:
    """Roundup: a table of issues under heads that sort it."""

    name = "roundup"
    kind = "tracker"
    home = "/docs/"
    needs: Mapping[str, str] = {}

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        python = [*with_package("roundup"), "python"]
        tracker, script, port = folder / "docs", folder / "fill.py", free_port()
        script.write_text(_FILL_ROUNDUP)
        admin: Command = [*python, "-m", "roundup.scripts.roundup_admin", "-i", tracker]
        run([*admin, "install", "classic", "anydbm"], folder)
        settings = tracker / "config.ini"
        text = settings.read_text("utf-8")
        text = text.replace("NO DEFAULT", "nobody")
        text = re.sub(r"(?m)^#?\s*(domain|host) =.*", r"\1 = localhost", text)
        text = re.sub(r"(?m)^web = .*", f"web = http://127.0.0.1:{port}/docs/", text)
        settings.write_text(text, "utf-8")
        run([*admin, "initialise", "admin"], folder)
        run([*python, script, tracker], folder, text=as_json(documents))
        command: Command = [
            *python,
            "-m",
            "roundup.scripts.roundup_server",
            "-n",
            "127.0.0.1",
        ]
        command += ["-p", str(port), f"docs={tracker}"]
        with served(command, port, folder) as site:
            yield site

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""
        found = re.search(r"/issue(\d+)", url)
        return int(found[1]) if found else None
