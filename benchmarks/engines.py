"""Search engines: are they discovered, how long does it take, are their records right,
and does a search over many of them hold?

python -m benchmarks.engines [--only NAME]...

Real engines of Debian's packages on loopback, judged by what their own machine
interfaces say; live engines of many kinds, filled with documents of our own, with their
columns, a new theme and their exports; odd engines of our own; one search over twenty,
of which two are dead and two hang.

Needs, besides what the tests need: apt-get install public-inbox gitweb mercurial fossil
kiwix-tools zim-tools searx. Trac, Roundup, Datasette, Sphinx, MkDocs, Spirit, Mezzanine
and Oscar are run by uv, which fetches them from PyPI the first time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import report, table
from scythe.engines.asking.results import SearchStatus
from scythe.engines.engine import Engine
from scythe.engines.metasearch.search import SearchOptions, search
from scythe.errors import ScytheError

# The engines are shared with the end-to-end tests.
sys.path.append(str(Path(__file__).parents[1] / "tests" / "e2e"))

from engines.all import REAL_ENGINES
from engines.judging import Score, judge
from engines.real import QUERIES, Item, missing, running
from engines.serving import Server, Site

from benchmarks.live.all import LIVE_ENGINES, missing_programs
from benchmarks.live.launching import NotStarted
from benchmarks.live.trial import COLUMNS as LIVE_COLUMNS
from benchmarks.live.trial import trial_row
from engines import odd, odd_forms, shop

PAGES = 3
IMPOSSIBLE = "qzxvkwjy"
MANY, DEAD, HANGING, DEADLINE = 20, 2, 2, 5.0


@dataclass(frozen=True)
class Trial:
    """An engine to discover, and what is true of it."""

    name: str
    url: str
    server: Server
    queries: Sequence[str]
    truth: Callable[[str, int], list[Item]]
    key: Callable[[str], str] = str


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only",
        action="append",
        help="the name of an engine to try; may be given again",
    )
    only = parser.parse_args().only
    columns = [
        "engine",
        "seconds",
        "requests",
        "queries",
        "precision",
        "recall",
        f"{PAGES} pages: precision",
        "recall",
        "nothing found",
    ]
    real = run_trials(real_trials(only), only)
    live = list(live_rows(only))
    strange = run_trials(odd_trials(), only)
    tables = [
        table(
            "Real engines, discovered and asked queries they were not learned from",
            columns,
            real,
        ),
        table("Live engines of many kinds", LIVE_COLUMNS, live),
        table("Odd engines of our own", columns, strange),
    ]
    figures: dict[str, object] = {"real": real, "live": live, "odd": strange}
    if not only:
        many = metasearch()
        tables.append(
            table(
                f"One search over {MANY} engines",
                ["what", "figure"],
                [[name, figure] for name, figure in many.items()],
            )
        )
        figures["metasearch"] = many
    report("engines", tables, figures)


def live_rows(only: Sequence[str] | None) -> Iterator[list[object]]:
    """Yield a row for each live engine that this machine can run."""
    for live in LIVE_ENGINES:
        if only and live.name not in only:
            continue
        problem = missing_programs(live)
        if problem:
            print(problem, file=sys.stderr)
            continue
        try:
            row = trial_row(live)
        except NotStarted as error:
            print(f"{live.name} does not start here: {error}", file=sys.stderr)
            continue
        print(row, file=sys.stderr)
        yield row


def run_trials(
    trials: Iterator[Trial], only: Sequence[str] | None
) -> list[list[object]]:
    """Return a row for each engine; one server runs at a time."""
    rows = []
    for trial in trials:
        is_selected = not only or trial.name in only
        if is_selected:
            rows.append(run_trial(trial))
    return rows


def run_trial(trial: Trial) -> list[object]:
    """Return the row of an engine; one that is not discovered says why."""
    started = time.monotonic()
    try:
        engine = Engine.discover(trial.url)
    except ScytheError as error:
        print(f"{trial.name}: {error}", file=sys.stderr)
        seconds = time.monotonic() - started
        requests = len(trial.server.asked)
        reason = type(error).__name__
        return [trial.name, f"{seconds:.1f}", requests, reason, *[""] * 5]

    seconds, requests = time.monotonic() - started, len(trial.server.asked)
    unseen = [query for query in trial.queries if query.lower() not in engine.queries]
    first_page, all_pages = Score(), Score()
    for query in unseen:
        first_page += score_query(engine, trial, query, 1)
    for query in unseen:
        all_pages += score_query(engine, trial, query, PAGES)
    none = engine.search(IMPOSSIBLE).status
    return [
        trial.name,
        f"{seconds:.1f}",
        requests,
        len(unseen),
        first_page.precision,
        first_page.recall,
        all_pages.precision,
        all_pages.recall,
        str(none),
    ]


def score_query(engine: Engine, trial: Trial, query: str, pages: int) -> Score:
    """Return how right the results of a query are.

    A jump to the only result is as right as the result.
    """
    truth: list[Item] = []
    for page in range(pages):
        truth += trial.truth(query, page)
    results = engine.search(query, pages)
    given = []
    for record in results:
        title = str(record.fields.get("title", ""))
        given.append((title, record.link or ""))
    if results.status == SearchStatus.JUMPED and len(truth) == 1:
        given = [(truth[0].title, url) for url in results.pages]

    score = judge(given, truth, trial.key)
    if (score.right, score.right) != (score.given, score.true):
        print(
            f"{trial.name}: {query!r}, {pages} pages: {score} {results.status}"
            f" {results.note}",
            file=sys.stderr,
        )
    return score


def real_trials(only: Sequence[str] | None) -> Iterator[Trial]:
    with tempfile.TemporaryDirectory(prefix="scythe-engines-") as folder:
        for engine in REAL_ENGINES:
            if only and engine.name not in only:
                continue
            problem = missing(engine)
            if problem:
                print(problem, file=sys.stderr)
                continue
            with running(engine, Path(folder)) as served:
                yield Trial(
                    engine.name,
                    served.url,
                    served.server,
                    QUERIES,
                    served.truth,
                    served.key,
                )


def odd_trials() -> Iterator[Trial]:
    words = (
        "mattock",
        "vineyard",
        "dented hoe",
        "crooked",
        "lantern barn",
        "market",
        "folding",
    )
    plain = shop.Shop()
    sites: dict[str, tuple[shop.Shop, Site]] = {
        "list": (plain, plain),
        "cookie": (plain, odd.needs_cookie(plain)),
        "slow": (plain, odd.slow(plain, 0.5)),
        "crawl-delay": (
            plain,
            odd.with_robots(plain, "User-agent: *\nCrawl-delay: 1\n"),
        ),
    }
    made = {
        "table": shop.Shop(layout=shop.as_table),
        "terms": shop.Shop(layout=shop.as_terms),
        "grid": shop.Shop(layout=shop.as_grid),
        "articles": shop.Shop(layout=shop.as_articles),
        "echo": shop.Shop(layout=shop.as_echo),
        "post": shop.Shop(method="post"),
        "token": odd.TokenShop(),
        "jump": odd.JumpingShop(),
        "suggestions": odd.SuggestingShop(),
        "scripted results": odd.ScriptedShop(),
        "scripted form": odd.ScriptedForm(),
        "search box without a form": odd_forms.FormlessShop(),
        "OpenSearch alone": odd_forms.DescribedShop(),
        "many forms": odd_forms.CrowdedShop(),
        "advanced form": odd_forms.AdvancedShop(),
        "redirect after POST": odd_forms.RedirectingShop(),
        "departments above": odd_forms.SortedShop(),
        "iso-8859-1": odd.latin_shop(),
        "gbk": odd.chinese_shop(),
    }
    foreign = {"iso-8859-1": odd.GERMAN[3:9], "gbk": odd.CHINESE[3:9]}
    for name, keeper in made.items():
        sites[name] = (keeper, keeper)
    for name, (keeper, site) in sites.items():
        with served(keeper, site) as (server, truth):
            yield Trial(name, server.url(), server, foreign.get(name, words), truth)


@contextmanager
def served(
    keeper: shop.Shop, site: Site
) -> Iterator[tuple[Server, Callable[[str, int], list[Item]]]]:
    """A shop on loopback, and its truth. Pages after the first count where the shop
    links them.
    """
    with Server(site) as server:

        def truth(query: str, page: int) -> list[Item]:
            if page and not keeper.pager(query, 0, keeper.size + 1):
                return []
            return keeper.truth(query, server.url(""), page)

        yield server, truth


def metasearch() -> dict[str, object]:
    """Return the figures of twenty engines with the same records, of which some die and
    some hang.
    """
    shops = odd.overlapping_shops(MANY)
    with ExitStack() as stack:
        servers = [stack.enter_context(Server(keeper)) for keeper in shops]
        engines = [Engine.discover(server.url()) for server in servers]
        for server in servers[:HANGING]:
            server.site = odd.hanging
        for server in servers[HANGING : HANGING + DEAD]:
            server.stop()
        started = time.monotonic()
        hits = search(engines, "meadow", SearchOptions(deadline=DEADLINE))
        seconds = time.monotonic() - started
        again = search(engines, "meadow", SearchOptions(deadline=DEADLINE))
    true: set[str] = set()
    for keeper in shops[HANGING + DEAD :]:
        true.update(item.url for item in keeper.truth("meadow", ""))
    links = [hit.url for hit in hits]
    statuses = [answer.status for answer in hits.answers]
    return {
        "deadline, seconds": f"{DEADLINE:g}",
        "seconds": f"{seconds:.1f}",
        "engines that answered": statuses.count(SearchStatus.OK),
        "engines named as unreachable": statuses.count(SearchStatus.UNREACHABLE),
        "results before merging": sum(len(answer.results) for answer in hits.answers),
        "hits": len(hits),
        "of them right": len(true.intersection(links)),
        "there are": len(true),
        "twice in the list": len(links) - len(set(links)),
        "same order again": str([hit.url for hit in again] == links),
    }


if __name__ == "__main__":
    main()
