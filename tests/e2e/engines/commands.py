"""The command line as a person uses it, with one database for all commands."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from command_line import run_here
from scythe.cli.output.engine_views import engine_values
from scythe.engines.engine import Engine
from scythe.engines.registry.registry import Registry
from scythe.store import Store

from .real import Running, made_once
from .serving import Server

HERE = "http://here"


@dataclass(frozen=True)
class Scythe:
    """The commands, with a database of their own."""

    database: Path
    settings: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str | Path) -> CompletedProcess[str]:
        environment = {"SCYTHE_DB": str(self.database), **self.settings}
        return run_here([str(argument) for argument in arguments], environment)

    def run(self, *arguments: str | Path) -> str:
        """What a command that must do well writes."""
        done = self(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refused(self, *arguments: str | Path, code: int = 1) -> str:
        """What a command that must fail says: a message, and no traceback."""
        done = self(*arguments)
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        assert done.stdout == ""
        return " ".join(done.stderr.split())

    def search(self, query: str, *arguments: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            self.run("search", query, "--format", "json", "--limit", "0", *arguments)
        )
        return found

    def shown(self, name: str) -> dict[str, Any]:
        """What `engine show` has to say; without a process, for tests that look at it
        by the way.
        """
        with Store.open(str(self.database)) as opened:
            registry = Registry(opened)
            return engine_values(registry, registry.get(name))

    def names(self) -> list[str]:
        """The engines that are stored."""
        with Store.open(str(self.database)) as opened:
            return [known.name for known in Registry(opened).all()]

    def store(self, *engines: Engine) -> None:
        """Store engines that are known already, without asking them anything."""
        with Store.open(str(self.database)) as opened:
            for engine in engines:
                Registry(opened).add(engine)


def moved(engine: Engine, old: Server, new: Server, *, name: str) -> Engine:
    """An engine of the same make at another address."""
    return Engine.from_json(
        json.loads(
            json.dumps(engine.as_json() | {"name": name}).replace(
                old.url(""), new.url("")
            )
        )
    )


def added(real: Running, shared: Path) -> Engine:
    """A real engine as `scythe engine add URL` stores it.

    One process adds it; to the others it is an engine that has moved to the port of
    their own server.
    """

    def add(folder: Path) -> None:
        scythe = Scythe(folder / "scythe.db")
        scythe.run("engine", "add", real.url, "--name", real.engine.name)
        stored = json.dumps(scythe.shown(real.engine.name)["versions"][-1]["engine"])
        (folder / "engine.json").write_text(
            stored.replace(real.server.url(""), HERE), encoding="utf-8"
        )

    file = made_once(shared / f"{real.engine.name}-added", add) / "engine.json"
    return Engine.from_json(
        json.loads(file.read_text(encoding="utf-8").replace(HERE, real.server.url("")))
    )
