"""Engines as text for a person, and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from scythe.cli.output.messages import one_line
from scythe.cli.output.rows import table_of

if TYPE_CHECKING:
    from scythe.engines.metasearch.search import EngineAnswer
    from scythe.engines.registry.health import Health
    from scythe.engines.registry.registry import EngineVersion, Registry, StoredEngine

LATEST = 5
"""Answers and events that `engine show` lists."""


def summary(known: StoredEngine) -> str:
    """What was learned, in one line."""
    engine = known.engine
    least, most = engine.wrapper.expected.records
    count = str(most) if least == most else f"{least} to {most}"
    columns = ", ".join(engine.wrapper.fields.columns)
    return f"{engine.name}: {engine.form}; {count} records a page; columns: {columns}"


def listed(engines: Sequence[tuple[StoredEngine, Health]], *, to_terminal: bool) -> str:
    """All engines, one a line."""
    names = [
        "name",
        "health",
        "searches",
        "records",
        "filled",
        "seconds",
        "last",
        "version",
        "weight",
        "home",
    ]
    rows = [
        [one_line(cell) for cell in _row(known, health)] for known, health in engines
    ]
    return table_of(names, rows, to_terminal=to_terminal) if rows else ""


def _row(known: StoredEngine, health: Health) -> list[str]:
    return [
        known.name,
        str(health.state),
        str(health.searches),
        _number(health.records, "{:.1f}"),
        _number(health.filled, "{:.0%}"),
        _number(health.seconds, "{:.2f}"),
        _time(health.last),
        str(known.engine.version),
        f"{known.weight:g}",
        known.engine.home,
    ]


def checked(answers: Sequence[tuple[EngineAnswer, bool]], *, to_terminal: bool) -> str:
    """What engines answered to a query that they were learned from."""
    rows = [
        [
            one_line(answer.engine),
            "yes" if fits else "no",
            str(answer.status),
            str(len(answer.results)),
            f"{answer.seconds:.2f}",
        ]
        for answer, fits in answers
    ]
    return table_of(
        ["name", "fits", "status", "records", "seconds"], rows, to_terminal=to_terminal
    )


def shown(registry: Registry, known: StoredEngine) -> str:
    """Everything about one engine."""
    engine, wrapper = known.engine, known.engine.wrapper
    least, most = wrapper.expected.records
    lines = [
        ("name", engine.name),
        ("home", engine.home),
        ("form", str(engine.form)),
        ("manner", _manner(known)),
        ("records", f"{wrapper.rule} ({least} to {most} on a page)"),
        ("columns", ", ".join(wrapper.fields.columns)),
        ("learned", f"{engine.learned_at} from {', '.join(engine.queries)}"),
        ("weight", f"{known.weight:g}"),
    ]
    harvest = registry.harvest(known)
    if queries := harvest.queries():
        lines.append(
            ("harvest", f"{harvest.count()} records from {len(queries)} queries")
        )
    parts = [
        "\n".join(f"{name + ':':9} {one_line(value)}" for name, value in lines),
        _health_text(registry, known),
        _versions_text(registry.versions(known)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _manner(known: StoredEngine) -> str:
    engine = known.engine
    return "; ".join(
        [
            "results are built by script, read in a browser"
            if engine.rendered
            else "results are read as they are sent",
            *(["the form is fetched before each search"] if engine.session else []),
            *(
                [f"words are sent in {engine.form.charset}"]
                if engine.form.charset != "utf-8"
                else []
            ),
        ]
    )


def _health_text(registry: Registry, known: StoredEngine) -> str:
    health = registry.health(known)
    lines = []
    if health.searches:
        lines.append(
            f"searches: {health.searches}, {health.answered:.0%} answered, {health.drifted} drifted; "
            f"{_number(health.records, '{:.1f}') or 'no'} records a page, {_number(health.filled, '{:.0%}') or 'none'} of the "
            f"columns filled; {_number(health.seconds, '{:.2f}')} s"
        )
    if health.rests_until is not None:
        lines.append(f"left alone until {_time(health.rests_until)}")
    for answer in registry.answers(known)[-LATEST:]:
        note = f": {answer.note}" if answer.note else ""
        lines.append(
            f"{_time(answer.answered_at)} {answer.query!r} {answer.status}, {answer.records} records{note}"
        )
    lines += [
        f"{_time(event.happened_at)} {event.kind}: {event.note}"
        for event in registry.events(known)[-LATEST:]
    ]
    first = f"health:   {health.state}" + (
        f": {one_line(health.reason)}" if health.reason else ""
    )
    return "\n".join([first, *(f"  {one_line(line)}" for line in lines)])


def _versions_text(versions: Sequence[EngineVersion]) -> str:
    lines = []
    for version in reversed(versions):
        engine = version.engine
        lines.append(
            f"  {engine.version}  {_time(version.stored_at)}  {one_line(version.reason)}"
        )
        lines.append(
            f"     {one_line(str(engine.wrapper.rule))}: {', '.join(map(one_line, engine.wrapper.fields.columns))}"
        )
    return "\n".join(["versions:", *lines])


def as_values(registry: Registry, known: StoredEngine) -> dict[str, Any]:
    """Everything about one engine as plain values."""
    health = registry.health(known)
    return {
        "name": known.name,
        "weight": known.weight,
        "added_at": known.added_at.isoformat(),
        "health": health_values(health),
        **registry.history(known),
    }


def _version_values(version: EngineVersion) -> dict[str, Any]:
    engine = version.engine
    stored_at = version.stored_at.isoformat()
    return {
        "version": engine.version,
        "stored_at": stored_at,
        "reason": version.reason,
        "engine": engine.as_json(),
    }


def health_values(health: Health) -> dict[str, Any]:
    """Health as plain values."""
    return {
        "state": str(health.state),
        "reason": health.reason,
        "searches": health.searches,
        "answered": health.answered,
        "records": health.records,
        "filled": health.filled,
        "drifted": health.drifted,
        "seconds": health.seconds,
        "last": None if health.last is None else health.last.isoformat(),
        "rests_until": None
        if health.rests_until is None
        else health.rests_until.isoformat(),
    }


def _number(value: float | None, pattern: str) -> str:
    return "" if value is None else pattern.format(value)


def _time(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M}"
