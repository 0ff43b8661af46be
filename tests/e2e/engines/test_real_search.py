"""Real engines, discovered from their address alone: right for queries they were not
learned from, page after page.
"""

from __future__ import annotations

import json

from scythe.engines.asking.results import Results, SearchStatus
from scythe.engines.engine import Engine

from .judging import Score, judge
from .real import QUERIES, Running


def pairs(results: Results) -> list[tuple[str, str]]:
    return [
        (str(record.fields.get("title", "")), record.link or "") for record in results
    ]


def fresh_queries(engine: Engine) -> list[str]:
    """Queries that were not used in learning."""
    return [query for query in QUERIES if query not in engine.queries]


def test_records_of_new_queries_are_right(real: Running, engine: Engine) -> None:
    queries = fresh_queries(engine)[::2]
    score = sum(
        (
            judge(pairs(engine.search(query)), real.truth(query), real.key)
            for query in queries
        ),
        Score(),
    )
    assert score.true >= 40
    assert score.precision >= 0.97
    assert score.recall >= 0.97


def test_records_come_in_the_order_of_the_engine(real: Running, engine: Engine) -> None:
    query = max(fresh_queries(engine), key=lambda query: len(real.truth(query)))
    assert [real.key(record.link) for record in engine.search(query)] == [
        real.key(item.url) for item in real.truth(query)
    ]


def test_the_next_pages_follow(real: Running, engine: Engine) -> None:
    query = max(
        fresh_queries(engine),
        key=lambda query: (len(real.truth(query, 2)), len(real.truth(query, 1))),
    )
    truth = [item for page in range(3) for item in real.truth(query, page)]
    score = judge(pairs(engine.search(query, pages=3)), truth, real.key)
    assert score.precision >= 0.97
    assert score.recall >= 0.97


def test_nothing_found_is_no_error(engine: Engine) -> None:
    for query in ("qzxvkwjy", "wqkzyxjv fhqwgads"):
        results = engine.search(query)
        assert (results.status, len(results)) == (SearchStatus.EMPTY, 0)


def test_queries_of_any_characters_are_answered(engine: Engine) -> None:
    for query in ("<b>bold</b> & 'more'", "Füße 草地", '"quoted words', "a+b=c%20d;e"):
        assert engine.search(query).status in {
            SearchStatus.OK,
            SearchStatus.EMPTY,
            SearchStatus.DRIFTED,
        }


def test_an_engine_is_the_same_after_it_was_stored(
    real: Running, engine: Engine
) -> None:
    again = Engine.from_json(json.loads(json.dumps(engine.as_json())))
    query = fresh_queries(engine)[0]
    assert pairs(again.search(query)) == pairs(engine.search(query))
