"""`scythe search`: one search over all engines."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scythe.cli.database import open_registry
from scythe.cli.options import Database, OutFile
from scythe.cli.output.files import write_result
from scythe.cli.output.messages import (
    one_line,
    print_message,
    print_warning,
    replace_controls,
)
from scythe.cli.output.progress import status_line
from scythe.cli.output.tables import render_table

if TYPE_CHECKING:
    from scythe.engines.metasearch.fusion import Hit
    from scythe.engines.metasearch.search import Hits
    from scythe.engines.registry.registry import Registry, StoredEngine

SearchFormat = Literal["table", "text", "json"]
_SNIPPET_CHARACTERS = 300
"""Characters of a snippet in text that a person reads; not tuned."""

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
        help="After the answer, relearn engines that seem to have changed.",
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
    from scythe.sources.cache_folder import cache_folder
    from scythe.sources.crawl_policy import SHARED_POLICY
    from scythe.sources.robots_cache import RobotsCache

    if format is None:
        is_json_file = out is not None and out.lower().endswith(".json")
        format = "json" if is_json_file else "table"  # noqa: A001
    SHARED_POLICY.saved = RobotsCache(cache_folder("robots"))
    options = SearchOptions(deadline=deadline, pages=pages)
    with open_registry(db) as registry:
        with status_line("searching"):
            words = " ".join(query)
            found = search_stored(registry, words, engine or (), options)
        to_terminal = out is None and sys.stdout.isatty()
        text = _render_hits(found.hits, format, limit, to_terminal=to_terminal)
        write_result(text, out)
        any_answered = _print_failures(found.hits, relearn=relearn)
        for known in found.store(registry):
            if relearn:
                _repair_engine(registry, known)
    if not any_answered:
        raise typer.Exit(1)


def _render_hits(
    hits: Hits, format_: SearchFormat, limit: int, *, to_terminal: bool
) -> str:
    shown = hits.hits[:limit] if limit else hits.hits
    if format_ == "json":
        hit_values = [hit.as_json() for hit in shown]
        values = {**hits.as_json(), "hits": hit_values}
        text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
        return replace_controls(text) if to_terminal else text
    if not shown:
        return ""
    if format_ == "table":
        return _hits_table(shown, to_terminal=to_terminal)
    paragraphs = [_hit_paragraph(number, hit) for number, hit in enumerate(shown, 1)]
    return "\n".join(paragraphs)


def _hits_table(hits: Sequence[Hit], *, to_terminal: bool) -> str:
    rows = []
    for number, hit in enumerate(hits, 1):
        cells = [hit.title, hit.url or "", _engine_ranks(hit)]
        shown_cells = map(one_line, cells)
        rows.append([str(number), *shown_cells])
    return render_table(["", "title", "link", "engines"], rows, to_terminal=to_terminal)


def _hit_paragraph(number: int, hit: Hit) -> str:
    lines = [f"{number}. {one_line(hit.title)}"]
    if hit.url:
        lines.append(f"   {one_line(hit.url)}")
    snippet = one_line(hit.snippet)
    if len(snippet) > _SNIPPET_CHARACTERS:
        snippet = f"{snippet[:_SNIPPET_CHARACTERS]}…"
    if snippet:
        lines.append(f"   {snippet}")
    lines.append(f"   {one_line(_engine_ranks(hit))}")
    return "\n".join(lines) + "\n"


def _engine_ranks(hit: Hit) -> str:
    """Return which engines have a hit, and at which rank."""
    ranks = [f"{result.engine} #{result.rank}" for result in hit.results]
    return ", ".join(ranks)


def _print_failures(hits: Hits, *, relearn: bool) -> bool:
    """Name the engines that did not answer, or not with all pages; return whether any
    did.
    """
    from scythe.engines.asking.results import ANSWERED, SearchStatus

    any_answered = False
    for answer in hits.answers:
        if answer.status in ANSWERED:
            any_answered = True
            if answer.status is SearchStatus.OK and answer.note:
                print_warning(answer.note, answer.engine)
            continue
        note = answer.note
        if answer.status is SearchStatus.DRIFTED:
            next_step = f"Learn it again: `scythe engine relearn {answer.engine}`."
            if relearn:
                next_step = "It is looked into now."
            note = f"its result pages seem to have changed. {next_step}"
        print_warning(f"{answer.status}: {note}", answer.engine)

    if any_answered and not hits:
        print_message("nothing was found.")
    return any_answered


def _repair_engine(registry: Registry, known: StoredEngine) -> None:
    """Repair an engine that may have changed, and print the result."""
    from scythe.engines.registry.relearn import RepairOutcome, repair

    with status_line(f"{known.name} may have changed") as show_detail:

        def on_progress(stage: str, detail: str) -> None:
            show_detail(f"{stage} {detail}")

        result = repair(registry, known, on_progress)
    next_step = ""
    if result.outcome is RepairOutcome.RELEARNED:
        next_step = ". Search again for its results."
    print_message(f"{known.name}: {result.outcome}: {result.note}{next_step}")
