"""searx itself, which SearXNG grew out of, reads the settings that Scythe exports."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from scythe.engines.registry.export import find_addresses, searxng_entries
from small_engine import Item, SmallEngine, new_look, old_look

from .searx import missing_searx, searx_rows


@pytest.fixture
def site() -> Iterator[SmallEngine]:
    if lacking := missing_searx():
        if os.environ.get("CI") == "true":
            pytest.fail(lacking)
        pytest.skip(lacking)
    with SmallEngine([Item(number) for number in range(200)]) as engine:
        yield engine


@pytest.mark.parametrize("look", [old_look, new_look], ids=["list", "cards"])
def test_searx_finds_what_scythe_finds(site: SmallEngine, look: object) -> None:
    site.behaviour.look = new_look if look is new_look else old_look
    engine = site.known("Hay_rake 🌾", site.behaviour.look)
    settings = searxng_entries([(engine, find_addresses(engine))])
    results = engine.search("kestrel", pages=2)
    rows = searx_rows(settings, "kestrel") + searx_rows(settings, "kestrel", 2)
    assert [(row["title"], row["url"]) for row in rows] == [
        (record.fields["title"], record.link) for record in results
    ]
    assert len(rows) > 10
