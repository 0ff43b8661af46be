"""`scythe doctor`: what is there on this machine, and what to do about the rest."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import typer

from scythe.cli.catalogue import SUMMARIES, load_command
from scythe.cli.configuration import Configuration, configuration_path
from scythe.cli.options import Database
from scythe.errors import ScytheError
from scythe.version import DISTRIBUTION, installed_version

_EXTRAS = {
    "browser": ("playwright",),
    "bulk": ("fastwarc", "pyarrow", "tldextract"),
    "crawl": ("scrapy",),
    "mcp": ("mcp",),
    "postgres": ("psycopg",),
    "ray": ("ray",),
    "xlsx": ("openpyxl",),
    "web": ("starlette", "uvicorn", "jinja2", "msgspec", "scrapy"),
}
"""The modules by which one sees that an extra is installed."""


class Check(NamedTuple):
    """Something that was looked at."""

    name: str
    finding: str
    advice: str = ""
    """What to do where something is missing; empty where all is well."""
    is_needed: bool = False
    """Whether nothing works without it."""


def doctor(*, db: Database = None) -> None:
    """Say what is installed and works: the compiled core, the browser, the database, the
    extras, the folders that are written to.

    Nothing is changed. The exit code is 1 where something is broken that every command
    needs; what is only not installed is named with the way to have it.
    """
    is_broken = False
    for check in _checks(db):
        sign = "ok"
        if check.advice:
            sign = "!!" if check.is_needed else "--"
        typer.echo(f"{sign}  {check.name:<10} {check.finding}")
        if check.advice:
            typer.echo(f"    {'':<10} {check.advice}")
        is_broken = is_broken or bool(check.advice and check.is_needed)
    if is_broken:
        raise typer.Exit(1)


def _checks(db: str | None) -> Iterator[Check]:
    python = f"Python {platform.python_version()} on {platform.system()}"
    yield Check("scythe", f"{DISTRIBUTION} {installed_version()}, {python}")
    yield _settings()
    yield _core()
    yield _browser()
    yield _database(db)
    yield _folder("temporary", Path(tempfile.gettempdir()))
    yield from map(_extra, sorted(_EXTRAS))


def _settings() -> Check:
    path = configuration_path(os.environ)
    if path is None:
        return Check("settings", "no file, all by default")
    commands = {name: load_command(name) for name in SUMMARIES}
    try:
        Configuration.load().require_known(commands)
    except ScytheError as error:
        return Check("settings", str(path), str(error), is_needed=True)
    return Check("settings", str(path))


def _core() -> Check:
    from scythe.core.library import at_work, is_built

    if at_work():
        return Check("core", "compiled, at work")
    if is_built():
        setting = os.environ.get("SCYTHE_CORE", "its default")
        advice = "Same answers, slower. Set SCYTHE_CORE=1 to use it."
        return Check("core", f"compiled, off (SCYTHE_CORE is {setting})", advice)
    advice = (
        "Same answers, slower. Install a wheel, or a Rust compiler and then Scythe."
    )
    return Check("core", "not compiled; turbohtml and NumPy do its work", advice)


def _browser() -> Check:
    from scythe.errors import NoBrowser
    from scythe.render.chromium import require_chromium

    try:
        return Check("browser", str(require_chromium()))
    except NoBrowser as error:
        return Check("browser", "none; pages are read by their tags", str(error))


def _database(db: str | None) -> Check:
    """Return whether the database opens; one that is not there yet is not made."""
    from scythe.collect.catalogue import Collections

    try:
        location = Collections.locate(db)
        if location.is_missing_file:
            return Check("database", f"{location.name}, made when it is first needed")
        with Collections.open(db) as collections:
            count = len(collections.all())
    except ScytheError as error:
        return Check("database", "cannot be used", str(error), is_needed=True)
    return Check("database", f"{location.name}, {count} collections")


def _folder(name: str, folder: Path) -> Check:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return Check(name, f"{folder} can be written")
    except OSError as error:
        advice = (
            f"Free space there, or set TMPDIR to another folder ({error.strerror})."
        )
        return Check(name, f"{folder} cannot be written", advice, is_needed=True)


def _extra(name: str) -> Check:
    modules = _EXTRAS[name]
    missing = [module for module in modules if find_spec(module) is None]
    if not missing:
        return Check(f"[{name}]", "installed")
    advice = f"{sys.executable} -m pip install '{DISTRIBUTION}[{name}]'"
    finding = f"not installed ({', '.join(missing)} missing)"
    return Check(f"[{name}]", finding, advice)
