"""Take the steps of the Dockerfile in a clean environment, without pulling an image:

    python -m benchmarks.container [--db postgresql://...]

What `.dockerignore` lets through is copied, installed as the image installs it, and
served as the image serves it, by a user without rights where root runs this with an
interpreter that others may run, such as that of the system; then the
health check is asked before, while and after the app runs. With `--db` the app uses
that database, as in compose.yaml. Left out are the steps of the base image: Chromium
and the user. The exit code is 1 where something does not work.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
SECONDS = 60
USER = 1000
"""The user of the image; a number needs no account."""
PORT = "8377"
DATA = "/data"


@dataclass(frozen=True)
class Recipe:
    """What a Dockerfile says, as far as a clean environment can do it."""

    install: list[str]
    """Arguments of pip."""
    settings: dict[str, str]
    command: list[str]
    health: list[str]


def parse_recipe(text: str) -> Recipe:
    """Return what a Dockerfile says; its forms are those that ours has."""
    instructions = parse_instructions(text)
    (pip,) = (words for name, words in instructions if words.startswith("pip install"))
    health = next(words for name, words in instructions if name == "HEALTHCHECK")
    values = dict(instructions)
    name, _, value = values["ENV"].partition("=")
    return Recipe(
        install=[word for word in shlex.split(pip)[1:] if word[:8] != "--prefix"],
        settings={name: value},
        command=json.loads(values["ENTRYPOINT"]) + json.loads(values["CMD"]),
        health=json.loads(health[health.index("[") :]),
    )


def parse_instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile: names, and what stands behind them."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found = []
    for line in filter(None, joined.splitlines()):
        name, _, words = line.partition(" ")
        found.append((name, words))
    return found


def copy_context(root: Path, target: Path) -> None:
    """Copy what an image is built from, as `.dockerignore` says."""
    lines = (root / ".dockerignore").read_text().splitlines()
    kept = [line[1:] for line in lines if line.startswith("!")]
    ignored = [line.removeprefix("**/") for line in lines if line[:1] not in "!#*"]
    ignored += [line.removeprefix("**/") for line in lines if line[:3] == "**/"]

    def ignore(folder: str, names: list[str]) -> list[str]:
        inner = Path(folder).relative_to(root)
        return [
            name
            for name in names
            for pattern in ignored
            if fnmatch(name, pattern) or fnmatch(str(inner / name), pattern)
        ]

    target.mkdir()
    for name in kept:
        source = root / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=ignore)
        else:
            shutil.copyfile(source, target / name)


@dataclass(frozen=True)
class Container:
    """A clean environment that stands in for the image."""

    recipe: Recipe
    folder: Path
    port: int

    def build(self) -> None:
        """Install the package as the image does."""
        context = self.folder / "build"
        copy_context(ROOT, context)
        environment = self.folder / "usr"
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        command = [self._program("python"), "-m", "pip", *self.recipe.install, "-q"]
        subprocess.run(command, cwd=context, check=True)
        shutil.rmtree(context)
        data = self.folder / "data"
        data.mkdir()
        if os.geteuid() == 0:
            os.chown(data, USER, USER)
            self.folder.chmod(0o755)

    def start(self, database: str | None) -> subprocess.Popen[bytes]:
        """Start what the image starts."""
        return subprocess.Popen(
            self._adapted(self.recipe.command),
            env=self._settings(database),
            cwd=self.folder / "data",
            user=USER if self._others_can_run() else None,
        )

    def _others_can_run(self) -> bool:
        if os.geteuid() != 0:
            return False
        try:
            command = [self._program("python"), "-c", ""]
            subprocess.run(command, user=USER, cwd="/", check=True)
        except PermissionError:
            print(f"{sys.executable} is root's alone: the app runs as root")
            return False
        return True

    def is_healthy(self) -> bool:
        """Return what the image's health check says."""
        command = self._adapted(self.recipe.health)
        done = subprocess.run(
            command, env=self._settings(None), check=False, stderr=subprocess.DEVNULL
        )
        return done.returncode == 0

    def _adapted(self, words: list[str]) -> list[str]:
        program, *arguments = words
        port = str(self.port)
        return [
            self._program(program),
            *(word.replace(PORT, port) for word in arguments),
        ]

    def _settings(self, database: str | None) -> dict[str, str]:
        folder = str(self.folder / "data")
        settings = {
            name: value.replace(DATA, folder)
            for name, value in self.recipe.settings.items()
        }
        if database:
            settings["SCYTHE_DB"] = database
        return {"PATH": str(self.folder / "usr" / "bin"), "HOME": folder, **settings}

    def _program(self, name: str) -> str:
        return str(self.folder / "usr" / "bin" / name)


def check(folder: Path, database: str | None) -> bool:
    """Return whether the steps lead to an app that serves; print how they do."""
    recipe = parse_recipe((ROOT / "Dockerfile").read_text())
    container = Container(recipe, folder, _free_port())
    container.build()
    print(f"installed: pip {shlex.join(recipe.install)}")
    before = container.is_healthy()
    server = container.start(database)
    try:
        while_running = _wait_until_healthy(container, server)
    finally:
        server.terminate()
        server.wait()
    after = container.is_healthy()
    print(f"healthy before {before}, while it runs {while_running}, after {after}")
    kept = [path.name for path in (folder / "data").glob("*.db")]
    print(f"in the volume: {', '.join(kept) or 'nothing'}")
    return while_running and not before and not after and bool(kept or database)


def _wait_until_healthy(container: Container, server: subprocess.Popen[bytes]) -> bool:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and server.poll() is None:
        if container.is_healthy():
            return True
        time.sleep(0.5)
    return False


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--db", metavar="URL", help="a database as in compose.yaml")
    chosen = parser.parse_args()
    with TemporaryDirectory(prefix="scythe-container-") as folder:
        works = check(Path(folder), chosen.db)
    raise SystemExit(0 if works else 1)


if __name__ == "__main__":
    main()
