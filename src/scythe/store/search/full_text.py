"""The full-text index of each database: FTS5 in SQLite, tsvector in PostgreSQL. Both
have the same words and find the same records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from scythe.store.search.words import Term, TextQuery

TITLE_WEIGHT = 10
"""How much more a word counts in a title: a judgement, not tuned."""

RecordIds = NDArray[np.int64]

_AND = {"sqlite": "AND", "postgresql": "&"}
_OR = {"sqlite": "OR", "postgresql": "|"}
_ID = {"sqlite": "rowid", "postgresql": "record_id"}
_MATCHING = {
    "sqlite": "collection_record_words WHERE collection_record_words MATCH :words "
    "AND rowid BETWEEN :first AND :last",
    "postgresql": "collection_record_texts WHERE collection_id = :collection "
    "AND words @@ CAST(:words AS tsquery)",
}
_SORTED = (
    "collection_record_texts WHERE collection_id = :collection "
    "ORDER BY title, record_id"
)
_RANK = {
    "sqlite": f"-bm25(collection_record_words, {TITLE_WEIGHT}.0, 1.0)",
    "postgresql": f"ts_rank(ARRAY[{1 / TITLE_WEIGHT}, 0.2, 0.4, 1.0], words, "
    "CAST(:words AS tsquery), 1)",
}


class FullText(NamedTuple):
    """The words of a collection's records, whose ids are between `first` and `last`."""

    connection: Connection
    collection: int
    first: int
    last: int

    def matching(self, query: TextQuery) -> RecordIds:
        """Return the records with all required terms and none that is excluded."""
        source = _MATCHING[self._dialect]
        return self._load_ids(source, self._parameters(query))

    def with_any(self, terms: tuple[Term, ...]) -> RecordIds:
        """Return the records that have any of these terms."""
        parameters = self._parameters(TextQuery(terms), operators=_OR)
        return self._load_ids(_MATCHING[self._dialect], parameters)

    def matching_title(self, query: TextQuery) -> RecordIds:
        """Return the records that have all required terms in their titles."""
        parameters = self._parameters(query, in_title=True)
        return self._load_ids(_MATCHING[self._dialect], parameters)

    def sorted_by_title(self) -> RecordIds:
        """Return all records, sorted by title."""
        return self._load_ids(_SORTED, {"collection": self.collection})

    def ranks(self, query: TextQuery) -> dict[int, float]:
        """Return how well records match: in rare words, in titles, often, and in short
        texts is better.
        """
        column = _ID[self._dialect]
        rank = _RANK[self._dialect]
        source = _MATCHING[self._dialect]
        statement = text(f"SELECT {column}, {rank} FROM {source}")  # noqa: S608 - our own words
        rows = self.connection.execute(statement, self._parameters(query))
        return {row[0]: row[1] for row in rows}

    @property
    def _dialect(self) -> str:
        return self.connection.dialect.name

    def _parameters(
        self,
        query: TextQuery,
        *,
        in_title: bool = False,
        operators: Mapping[str, str] = _AND,
    ) -> dict[str, Any]:
        operator = operators[self._dialect]
        if self._dialect == "postgresql":
            weight = "A" if in_title else ""
            words = _tsquery(query, operator, weight)
            return {"words": words, "collection": self.collection}
        words = _fts5_query(query, operator, in_title=in_title)
        return {"words": words, "first": self.first, "last": self.last}

    def _load_ids(self, source: str, parameters: Mapping[str, Any]) -> RecordIds:
        """Return the ids of records. They come as one text: a row for each would take
        longer than to find them.
        """
        column = _ID[self._dialect]
        if self._dialect == "postgresql":
            joined = f"string_agg(CAST({column} AS TEXT), ',')"
        else:
            joined = f"group_concat({column})"
        inner = f"SELECT {column} FROM {source}"  # noqa: S608 - our own words
        statement = f"SELECT {joined} FROM ({inner}) AS found"  # noqa: S608 - our own words
        ids = self.connection.execute(text(statement), parameters).scalar()
        if not ids:
            return np.zeros(0, np.int64)
        return np.fromstring(ids, np.int64, sep=",")


def _fts5_query(query: TextQuery, operator: str, *, in_title: bool) -> str:
    """Return a query in the language of FTS5. Words have no character that means
    anything in it.
    """
    phrases = map(_fts5_phrase, query.required)
    terms = f" {operator} ".join(phrases)
    required = f"title : ({terms})" if in_title else f"({terms})"
    if not query.excluded:
        return required
    excluded = " OR ".join(map(_fts5_phrase, query.excluded))
    return f"{required} NOT ({excluded})"


def _fts5_phrase(term: Term) -> str:
    phrase = " ".join(term.words)
    return f'"{phrase}" *' if term.prefix else f'"{phrase}"'


def _tsquery(query: TextQuery, operator: str, weight: str) -> str:
    """Return a query in the language of PostgreSQL."""
    required = _lexemes(query.required, operator, weight)
    if not query.excluded:
        return required
    excluded = _lexemes(query.excluded, "|", "")
    return f"({required}) & !({excluded})"


def _lexemes(terms: Iterable[Term], operator: str, weight: str) -> str:
    phrases = []
    for term in terms:
        last = len(term.words) - 1
        words = []
        for index, word in enumerate(term.words):
            is_prefix = term.prefix and index == last
            label = f"*{weight}" if is_prefix else weight
            quoted = f"'{word}'"
            words.append(f"{quoted}:{label}" if label else quoted)
        phrase = " <-> ".join(words)
        phrases.append(f"({phrase})")
    return f" {operator} ".join(phrases)
