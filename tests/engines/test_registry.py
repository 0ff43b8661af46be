"""Engines in the database: what is stored, what is refused, what comes back."""

from __future__ import annotations

import pytest

from scythe.engines.asking.results import SearchStatus
from scythe.engines.metasearch.search import EngineAnswer
from scythe.engines.registry.health import HealthState
from scythe.engines.registry.registry import Registry
from scythe.errors import AlreadyStored, NotStored, UsageError
from scythe.store import Store
from scythe.store.engines.engines import EngineRows
from small_engine import SmallEngine, dead_engine, new_look


@pytest.fixture
def registry(store: Store) -> Registry:
    return Registry(store)


def test_an_engine_comes_back_whole(registry: Registry) -> None:
    engine = dead_engine("hay")
    added = registry.add(engine, weight=2.0)
    again = registry.get("hay")
    assert again.engine.as_json() == engine.as_json()
    assert (again.id, again.weight) == (added.id, 2.0)
    assert registry.health(again).state is HealthState.NEW
    assert [version.reason for version in registry.versions(again)] == ["added"]


def test_engines_are_found_by_name(registry: Registry) -> None:
    for name in ("oats", "hay", "rye"):
        registry.add(dead_engine(name))
    assert [known.name for known in registry.all()] == ["hay", "oats", "rye"]
    assert [known.name for known in registry.select(["rye", "hay", "rye"])] == [
        "rye",
        "hay",
    ]
    with pytest.raises(NotStored, match="wheat"):
        registry.select(["rye", "wheat"])
    with pytest.raises(NotStored, match="wheat"):
        registry.remove(["oats", "wheat"])
    registry.remove(["oats"])
    assert (registry.has("oats"), registry.has("hay")) == (False, True)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 99, "--all"])
def test_names_that_no_command_line_can_take_are_refused(
    registry: Registry, name: str
) -> None:
    with pytest.raises(UsageError, match="name"):
        registry.add(dead_engine(name))
    assert registry.all() == []


def test_a_name_is_given_once(registry: Registry) -> None:
    registry.add(dead_engine("hay"))
    with pytest.raises(AlreadyStored):
        registry.add(dead_engine("hay"))


def test_a_newer_version_keeps_the_older_one(registry: Registry) -> None:
    known = registry.add(dead_engine("hay"))
    engine = SmallEngine([]).known("other name", look=new_look)
    newer = registry.replace(known, engine, "the look has changed")
    assert (newer.name, newer.engine.version) == ("hay", 2)
    assert registry.get("hay").engine.as_json() == newer.engine.as_json()
    late = registry.replace(known, engine, "too late")
    assert late.engine.as_json() == newer.engine.as_json()
    assert [(one.engine.version, one.reason) for one in registry.versions(newer)] == [
        (1, "added"),
        (2, "the look has changed"),
    ]


def test_answers_make_the_health_of_the_version_that_gave_them(
    registry: Registry,
) -> None:
    known = registry.add(dead_engine("hay"))
    registry.store_answers(
        [
            (
                known,
                "barley",
                EngineAnswer("hay", SearchStatus.DRIFTED, 0.1, "It has changed."),
            )
        ]
    )
    health = registry.health(known)
    assert (health.state, health.reason) == (HealthState.CHANGED, "It has changed.")
    newer = registry.replace(known, known.engine, "again")
    assert registry.health(newer).state is HealthState.NEW


def test_weights_are_numbers_from_zero_on(registry: Registry) -> None:
    known = registry.add(dead_engine("hay"))
    registry.set_weight(known, 0.25)
    assert registry.get("hay").weight == 0.25
    for weight in (-1, float("nan"), float("inf")):
        with pytest.raises(UsageError, match="weight"):
            registry.set_weight(known, weight)


def test_a_damaged_engine_is_named(store: Store, registry: Registry) -> None:
    EngineRows(store).add(
        "hay", "https://hay.example/", {"scythe": "engine"}, reason="added"
    )
    with pytest.raises(UsageError, match=r"hay.*engine remove"):
        registry.all()
    registry.remove(["hay"])
    assert registry.all() == []
