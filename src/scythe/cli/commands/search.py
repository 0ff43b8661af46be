"""`scythe search`: one search over all engines."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scythe.cli.commands.records import OutFile, deliver
from scythe.cli.database import Database, engines_in
from scythe.cli.output.live import live
from scythe.cli.output.messages import CONTROL, about, one_line, print_message
from scythe.cli.output.rows import table_of

if TYPE_CHECKING:
    from scythe.engines.metasearch.fusion import Hit
    from scythe.engines.metasearch.search import Hits
    from scythe.engines.registry.registry import Registry, StoredEngine

SearchFormat = Literal["table", "text", "json"]
_SNIPPET = 300
"""Characters of a snippet in text that a person reads."""

Query = Annotated[
    list[str], typer.Argument(metavar="QUERY", help="What to search for.")
]
EngineNames = Annotated[
    list[str] | None,
    typer.Option(
        "--engine",
        "-e",
        metavar="NAME",
        help="Ask this engine, even if it is resting; may be repeated. By default all.",
    ),
]
FormatOption = Annotated[
    SearchFormat | None,
    typer.Option(
        "--format",
        "-f",
        help="What is written; by default a table, or JSON into a .json file.",
    ),
]
Limit = Annotated[
    int,
    typer.Option(
        "--limit", "-n", min=0, metavar="N", help="Hits to show at most; 0 for all."
    ),
]
Pages = Annotated[
    int,
    typer.Option(
        "--pages", min=1, metavar="N", help="Result pages to read of each engine."
    ),
]
Deadline = Annotated[
    float,
    typer.Option(
        "--deadline",
        metavar="SECONDS",
        help="When the answer is given, whichever engines are missing.",
    ),
]
Relearn = Annotated[
    bool,
    typer.Option(
        "--relearn/--no-relearn",
        help="After the answer, look after engines that seem to have changed.",
    ),
]


def search(
    query: Query,
    engine: EngineNames = None,
    format: FormatOption = None,  # noqa: A002 - its name on the command line
    out: OutFile = None,
    limit: Limit = 20,
    pages: Pages = 1,
    deadline: Deadline = 10.0,
    relearn: Relearn = True,  # noqa: FBT002 - an option
    db: Database = None,
) -> None:
    """Search with all engines at once, and merge what they find.

    Engines that do not answer are named on standard error. The exit code is 0 when some
    engine answered, 1 when none did, and 2 when the command was wrong.
    """
    from scythe.engines.metasearch.search import SearchOptions
    from scythe.engines.registry.stored_search import search_stored

    wanted = format or (
        "json" if out is not None and out.lower().endswith(".json") else "table"
    )
    options = SearchOptions(deadline=deadline, pages=pages)
    with engines_in(db) as registry:
        with live("searching"):
            found = search_stored(registry, " ".join(query), engine or (), options)
        to_terminal = out is None and sys.stdout.isatty()
        deliver(_rendered(found.hits, wanted, limit, to_terminal=to_terminal), out)
        answered = _report(found.hits, relearn=relearn)
        for known in found.store(registry):
            if relearn:
                _repair(registry, known)
    if not answered:
        raise typer.Exit(1)


def _rendered(
    hits: Hits, wanted: SearchFormat, limit: int, *, to_terminal: bool
) -> str:
    shown = hits.hits[:limit] if limit else hits.hits
    if wanted == "json":
        text = (
            json.dumps(
                {**hits.as_json(), "hits": [hit.as_json() for hit in shown]},
                ensure_ascii=False,
                indent=2,
            )
            + "\n"
        )
        return CONTROL.sub("\ufffd", text) if to_terminal else text
    if not shown:
        return ""
    if wanted == "table":
        rows = [
            [
                str(place),
                one_line(hit.title),
                one_line(hit.url or ""),
                one_line(_givers(hit)),
            ]
            for place, hit in enumerate(shown, 1)
        ]
        return table_of(["", "title", "link", "engines"], rows, to_terminal=to_terminal)
    return "\n".join(_paragraph(place, hit) for place, hit in enumerate(shown, 1))


def _paragraph(place: int, hit: Hit) -> str:
    snippet = one_line(hit.snippet)
    lines = [
        f"{place}. {one_line(hit.title)}",
        *([f"   {one_line(hit.url)}"] if hit.url else []),
        *(
            [f"   {snippet[:_SNIPPET]}{'…' if len(snippet) > _SNIPPET else ''}"]
            if snippet
            else []
        ),
        f"   {one_line(_givers(hit))}",
    ]
    return "\n".join(lines) + "\n"


def _givers(hit: Hit) -> str:
    """Who gave a hit, and at which place."""
    return ", ".join(f"{result.engine} #{result.rank}" for result in hit.results)


def _report(hits: Hits, *, relearn: bool) -> bool:
    """Name the engines that did not answer; whether any did."""
    from scythe.engines.asking.results import ANSWERED, SearchStatus

    for answer in hits.answers:
        note = answer.note
        if answer.status is SearchStatus.DRIFTED:
            later = (
                "It is looked into now."
                if relearn
                else f"Learn it again: `scythe engine relearn {answer.engine}`."
            )
            note = f"its result pages seem to have changed. {later}"
        if answer.status not in ANSWERED:
            print_message(
                f"warning: {about(answer.engine, f'{answer.status}: {note}')}"
            )
    answered = [answer for answer in hits.answers if answer.status in ANSWERED]
    if answered and not hits:
        print_message("nothing was found.")
    return bool(answered)


def _repair(registry: Registry, known: StoredEngine) -> None:
    """Look after an engine that may have changed, and say what came of it."""
    from scythe.engines.registry.relearn import RepairOutcome, repair

    with live(f"{known.name} may have changed") as tell:
        repaired = repair(
            registry, known, lambda stage, detail: tell(f"{stage} {detail}")
        )
    again = (
        ". Search again for its results."
        if repaired.outcome is RepairOutcome.RELEARNED
        else ""
    )
    print_message(f"{known.name}: {repaired.outcome}: {repaired.note}{again}")
