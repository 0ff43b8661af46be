"""An engine that changes is noticed by searches, learned again and right again; one
that does not is left in peace.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from scythe.engines.asking.results import SearchStatus
from scythe.engines.engine import Engine
from scythe.engines.metasearch.search import Hits, SearchOptions
from scythe.engines.registry.health import Health, HealthState
from scythe.engines.registry.registry import Registry, StoredEngine
from scythe.engines.registry.relearn import (
    RepairOutcome,
    engine_changes,
    is_due,
    relearn,
    repair,
)
from scythe.engines.registry.stored_search import StoredSearch, search_stored
from scythe.errors import NotLearned
from scythe.store.engines.engines import AnswerRow, EventRow
from small_engine import Item, SmallEngine, new_look

pytestmark = pytest.mark.slow

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def site() -> Iterator[SmallEngine]:
    with SmallEngine([Item(number) for number in range(300)]) as engine:
        yield engine


@pytest.fixture
def known(registry: Registry, site: SmallEngine) -> StoredEngine:
    return registry.add(site.known("hay"))


def search(
    registry: Registry, query: str, *names: str
) -> tuple[Hits, list[StoredEngine]]:
    """What is found, and which engines should be looked after then."""
    found: StoredSearch = search_stored(registry, query, names)
    return found.hits, found.store(registry)


def links(hits: Hits) -> list[str | None]:
    return [hit.url for hit in hits]


def test_a_new_look_is_noticed_learned_and_right_again(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    site.behaviour.look = new_look
    hits, (one,) = search(registry, "kestrel")
    assert [answer.status for answer in hits.answers] == [SearchStatus.DRIFTED]
    repaired = repair(registry, one)
    assert repaired.outcome is RepairOutcome.RELEARNED
    hits, due = search(registry, "kestrel")
    assert (links(hits), due) == ([item.url for item in site.found("kestrel")[:10]], [])
    old, new = registry.versions(known)
    assert old.engine.as_json() == known.engine.as_json()
    assert new.reason.startswith("The page has a list that the wrapper does not know")
    assert "records: ol#results > li" in new.reason
    assert "columns lost: date" in new.reason


def test_a_new_look_without_a_search_box_is_learned_by_the_address_known(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    site.behaviour.look = new_look
    site.behaviour.home = (
        "<!DOCTYPE html><title>Things</title><p>Welcome to all things."
    )
    repaired = relearn(registry, known, "a test")
    assert repaired.outcome is RepairOutcome.RELEARNED
    hits, _ = search(registry, "kestrel")
    assert links(hits) == [item.url for item in site.found("kestrel")[:10]]


def test_a_caller_in_a_hurry_says_nothing_of_an_engine(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    site.behaviour.hangs = True
    for _ in range(3):
        hurried = SearchOptions(deadline=0.1)
        found = search_stored(registry, "kestrel", options=hurried)
        assert [answer.status for answer in found.hits.answers] == [SearchStatus.LATE]
        assert found.store(registry) == []
    assert registry.health(known).state is HealthState.NEW


def test_results_that_look_like_nothing_are_noticed_too(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    search(registry, "kestrel")
    site.behaviour.body = (
        "<!DOCTYPE html><title>Moved</title><p>This page has moved.</p>"
    )
    hits, (one,) = search(registry, "kestrel")
    assert [answer.status for answer in hits.answers] == [SearchStatus.EMPTY]
    site.behaviour.body = None
    assert repair(registry, one).outcome is RepairOutcome.FITS


def test_an_odd_page_costs_one_request_and_changes_nothing(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    site.behaviour.empty = "<h2>Popular things</h2>" + new_look(site.items[:10])
    hits, (one,) = search(registry, "nowhere")
    assert [answer.status for answer in hits.answers] == [SearchStatus.DRIFTED]
    before = len(site.queries)
    assert repair(registry, one).outcome is RepairOutcome.FITS
    assert len(site.queries) == before + 1
    assert registry.get("hay").engine.version == 1
    assert search(registry, "nowhere again")[1] == [], (
        "the next odd page is no reason to check again at once"
    )


def test_a_block_is_no_change(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    site.behaviour.status = 403
    assert search(registry, "kestrel")[1] == []
    assert registry.health(known).state is HealthState.BLOCKED
    asked = len(site.asked)
    (answer,) = search(registry, "kestrel")[0].answers
    assert (answer.status, len(site.asked)) == (SearchStatus.RESTING, asked)
    assert "Skipped until" in answer.note
    site.behaviour.status = 200
    assert len(search(registry, "kestrel", "hay")[0]) == 10, (
        "asked for by name, it is asked"
    )
    assert len(search(registry, "kestrel")[0]) == 10


def test_a_check_that_is_blocked_says_nothing_of_the_wrapper(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    site.behaviour.look = new_look
    _, (one,) = search(registry, "kestrel")
    site.behaviour.status = 503
    assert repair(registry, one).outcome is RepairOutcome.UNANSWERED
    assert registry.get("hay").engine.version == 1


def test_what_cannot_be_learned_waits_longer_each_time(
    registry: Registry,
    site: SmallEngine,
    known: StoredEngine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise NotLearned("No records were found. Try another page.")

    monkeypatch.setattr(Engine, "discover", fail)
    site.behaviour.look = new_look
    _, (one,) = search(registry, "kestrel")
    repaired = repair(registry, one)
    assert (repaired.outcome, repaired.note) == (
        RepairOutcome.FAILED,
        "No records were found. Try another page.",
    )
    assert registry.get("hay").engine.as_json() == known.engine.as_json()
    assert search(registry, "heron")[1] == []


def test_two_processes_do_not_look_after_one_engine_at_once(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    assert registry.lock(known, 60)
    assert repair(registry, known).outcome is RepairOutcome.BUSY
    assert site.asked == []
    registry.unlock(known)
    assert repair(registry, known).outcome is RepairOutcome.FITS


def test_relearning_by_hand(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    site.behaviour.look = new_look
    stages: list[str] = []
    done = relearn(
        registry, known, "asked for", lambda stage, detail: stages.append(stage)
    )
    assert (done.outcome, done.stored.engine.version) == (RepairOutcome.RELEARNED, 2)
    assert {"page", "form", "query", "learn", "check"} <= set(stages)
    again = relearn(registry, done.stored, "asked for")
    assert (again.outcome, again.stored.engine.version) == (RepairOutcome.FITS, 2)


def events(*kinds: RepairOutcome) -> list[EventRow]:
    return [EventRow(NOON, kind, "") for kind in kinds]


@pytest.mark.parametrize(
    ("happened", "minutes", "due"),
    [
        ([], 0, True),
        ([RepairOutcome.RELEARNED], 1, True),
        ([RepairOutcome.FITS], 30, False),
        ([RepairOutcome.FITS], 61, True),
        ([RepairOutcome.FAILED], 9, False),
        ([RepairOutcome.FAILED], 11, True),
        ([RepairOutcome.FAILED] * 3, 39, False),
        ([RepairOutcome.FAILED] * 3, 41, True),
        ([RepairOutcome.FAILED] * 40, 24 * 60 + 1, True),
        ([RepairOutcome.FAILED] * 3 + [RepairOutcome.RELEARNED], 1, True),
    ],
)
def test_when_a_doubted_engine_is_looked_at(
    happened: list[RepairOutcome], minutes: int, due: bool
) -> None:
    doubted = Health(HealthState.CHANGED)
    assert (
        is_due(doubted, [], events(*happened), NOON + timedelta(minutes=minutes)) == due
    )
    assert not is_due(
        Health(HealthState.GOOD),
        [],
        events(*happened),
        NOON + timedelta(minutes=minutes),
    )


def test_after_a_check_only_several_odd_pages_are_a_reason() -> None:
    odd = AnswerRow(
        1, NOON + timedelta(minutes=1), "hay", "drifted", 0, None, 0.1, None, ""
    )
    assert not is_due(
        Health(HealthState.CHANGED),
        [odd] * 2,
        events(RepairOutcome.FITS),
        NOON + timedelta(minutes=5),
    )
    assert is_due(
        Health(HealthState.CHANGED),
        [odd] * 3,
        events(RepairOutcome.FITS),
        NOON + timedelta(minutes=5),
    )


def test_changes_in_words(site: SmallEngine) -> None:
    old, new = site.known(), site.known(look=new_look)
    assert engine_changes(old, old) == []
    lines = engine_changes(old, new)
    assert lines[0].startswith("records: ol#results > li")
    assert any(line.startswith("columns lost: ") for line in lines)
