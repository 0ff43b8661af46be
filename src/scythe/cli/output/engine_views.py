"""Engines as text for a person, and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from scythe.cli.output.messages import one_line
from scythe.cli.output.tables import render_table

if TYPE_CHECKING:
    from scythe.engines.metasearch.search import EngineAnswer
    from scythe.engines.registry.health import Health
    from scythe.engines.registry.registry import EngineVersion, Registry, StoredEngine

MAX_EVENTS = 5
"""Answers and events that `engine show` lists: a choice of layout, not tuned."""

_TABLE_COLUMNS = (
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
)
_CHECK_COLUMNS = ("name", "fits", "status", "records", "seconds")


def engine_summary(known: StoredEngine) -> str:
    """Return what was learned, in one line."""
    engine = known.engine
    least, most = engine.wrapper.expected.records
    count = str(most) if least == most else f"{least} to {most}"
    columns = ", ".join(engine.wrapper.fields.columns)
    return f"{engine.name}: {engine.form}; {count} records a page; columns: {columns}"


def engine_table(
    engines: Sequence[tuple[StoredEngine, Health]], *, to_terminal: bool
) -> str:
    """Return all engines, one a line."""
    rows = []
    for known, health in engines:
        cells = _engine_cells(known, health)
        rows.append([one_line(cell) for cell in cells])
    return render_table(_TABLE_COLUMNS, rows, to_terminal=to_terminal) if rows else ""


def _engine_cells(known: StoredEngine, health: Health) -> list[str]:
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


def check_table(
    answers: Sequence[tuple[EngineAnswer, bool]], *, to_terminal: bool
) -> str:
    """Return what engines answered to a query that they were learned from."""
    rows = []
    for answer, fits in answers:
        rows.append(
            [
                one_line(answer.engine),
                "yes" if fits else "no",
                str(answer.status),
                str(len(answer.results)),
                f"{answer.seconds:.2f}",
            ]
        )
    return render_table(_CHECK_COLUMNS, rows, to_terminal=to_terminal)


def engine_details(registry: Registry, known: StoredEngine) -> str:
    """Return everything about one engine, for a person."""
    engine, wrapper = known.engine, known.engine.wrapper
    least, most = wrapper.expected.records
    properties = {
        "name": engine.name,
        "home": engine.home,
        "form": str(engine.form),
        "fetching": _fetching(known),
        "records": f"{wrapper.rule} ({least} to {most} on a page)",
        "columns": ", ".join(wrapper.fields.columns),
        "learned": f"{engine.learned_at} from {', '.join(engine.queries)}",
        "weight": f"{known.weight:g}",
    }
    harvest = registry.harvest(known)
    queries = harvest.queries()
    if queries:
        properties["harvest"] = f"{harvest.count()} records from {len(queries)} queries"

    lines = [f"{name + ':':9} {one_line(value)}" for name, value in properties.items()]
    sections = [
        "\n".join(lines),
        _health_text(registry, known),
        _versions_text(registry.versions(known)),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _fetching(known: StoredEngine) -> str:
    """Return how the results of an engine are fetched."""
    engine = known.engine
    parts = ["results are read as they are sent"]
    if engine.rendered:
        parts = ["results are built by script, read in a browser"]
    if engine.session:
        parts.append("the form is fetched before each search")
    if engine.form.charset != "utf-8":
        parts.append(f"words are sent in {engine.form.charset}")
    return "; ".join(parts)


def _health_text(registry: Registry, known: StoredEngine) -> str:
    health = registry.health(known)
    first_line = f"health:   {health.state}"
    if health.reason:
        first_line = f"{first_line}: {one_line(health.reason)}"

    lines = []
    if health.searches:
        lines.append(_searches_line(health))
    if health.rests_until is not None:
        lines.append(f"skipped until {_time(health.rests_until)}")
    for answer in registry.answers(known)[-MAX_EVENTS:]:
        note = f": {answer.note}" if answer.note else ""
        time = _time(answer.answered_at)
        result = f"{answer.status}, {answer.records} records{note}"
        lines.append(f"{time} {answer.query!r} {result}")
    for event in registry.events(known)[-MAX_EVENTS:]:
        time = _time(event.happened_at)
        lines.append(f"{time} {event.kind}: {event.note}")
    indented = [f"  {one_line(line)}" for line in lines]
    return "\n".join([first_line, *indented])


def _searches_line(health: Health) -> str:
    records = _number(health.records, "{:.1f}") or "no"
    filled = _number(health.filled, "{:.0%}") or "none"
    seconds = _number(health.seconds, "{:.2f}")
    return (
        f"searches: {health.searches}, {health.answered:.0%} answered, "
        f"{health.drifted} drifted; {records} records a page, "
        f"{filled} of the columns filled; {seconds} s"
    )


def _versions_text(versions: Sequence[EngineVersion]) -> str:
    lines = ["versions:"]
    for version in reversed(versions):
        engine = version.engine
        time = _time(version.stored_at)
        rule = one_line(str(engine.wrapper.rule))
        columns = ", ".join(map(one_line, engine.wrapper.fields.columns))
        lines.append(f"  {engine.version}  {time}  {one_line(version.reason)}")
        lines.append(f"     {rule}: {columns}")
    return "\n".join(lines)


def engine_values(registry: Registry, known: StoredEngine) -> dict[str, Any]:
    """Return everything about one engine as plain values."""
    health = registry.health(known)
    return {
        "name": known.name,
        "weight": known.weight,
        "added_at": known.added_at.isoformat(),
        "health": health_values(health),
        **registry.history(known),
    }


def health_values(health: Health) -> dict[str, Any]:
    """Return health as plain values."""
    return {
        "state": str(health.state),
        "reason": health.reason,
        "searches": health.searches,
        "answered": health.answered,
        "records": health.records,
        "filled": health.filled,
        "drifted": health.drifted,
        "seconds": health.seconds,
        "last": _iso_time(health.last),
        "rests_until": _iso_time(health.rests_until),
    }


def _number(value: float | None, pattern: str) -> str:
    return "" if value is None else pattern.format(value)


def _time(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def _iso_time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
