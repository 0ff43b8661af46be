"""The full-text index of each database: FTS5 in SQLite, tsvector in PostgreSQL. Both
have the same words and find the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from scythe.store.search.words import Question, Term

TITLE_WEIGHT = 10
"""How much more a word counts in a title."""

Records = NDArray[np.int64]

_AND, _OR = {"sqlite": "AND", "postgresql": "&"}, {"sqlite": "OR", "postgresql": "|"}
_NUMBER = {"sqlite": "rowid", "postgresql": "record_id"}
_WHERE = {
    "sqlite": "collection_record_words WHERE collection_record_words MATCH :words AND rowid BETWEEN :first AND :last",
    "postgresql": "collection_record_texts WHERE collection_id = :collection AND words @@ CAST(:words AS tsquery)",
}
_SORTED = dict.fromkeys(
    _NUMBER,
    "collection_record_texts WHERE collection_id = :collection ORDER BY title, record_id",
)
_RANK = {
    "sqlite": f"-bm25(collection_record_words, {TITLE_WEIGHT}.0, 1.0)",
    "postgresql": f"ts_rank(ARRAY[{1 / TITLE_WEIGHT}, 0.2, 0.4, 1.0], words, CAST(:words AS tsquery), 1)",
}


class FullText(NamedTuple):
    """The words of a collection's records, whose numbers are between `first` and
    `last`.
    """

    connection: Connection
    collection: int
    first: int
    last: int

    def answering(self, question: Question) -> Records:
        """The records that have all that is wanted and nothing that is not."""
        return self._numbers(_WHERE, self._asked(question))

    def having_any(self, terms: tuple[Term, ...]) -> Records:
        """The records that have any of these terms."""
        return self._numbers(_WHERE, self._asked(Question(terms), joined_by=_OR))

    def titled(self, question: Question) -> Records:
        """The records that have all that is wanted in their titles."""
        return self._numbers(_WHERE, self._asked(question, in_title=True))

    def by_title(self) -> Records:
        """All records, sorted by title."""
        return self._numbers(_SORTED, {"collection": self.collection})

    def ranked(self, question: Question) -> dict[int, float]:
        """How well records answer: in rare words, in titles, often, and in short texts
        is better.
        """
        statement = f"SELECT {_NUMBER[self._kind]}, {_RANK[self._kind]} FROM {_WHERE[self._kind]}"  # noqa: S608 - our own words
        rows = self.connection.execute(text(statement), self._asked(question)).all()
        return {record: score for record, score in rows}  # noqa: C416 - rows are no pairs to `dict`

    @property
    def _kind(self) -> str:
        return self.connection.dialect.name

    def _asked(
        self,
        question: Question,
        *,
        in_title: bool = False,
        joined_by: Mapping[str, str] = _AND,
    ) -> dict[str, Any]:
        between = joined_by[self._kind]
        if self._kind == "postgresql":
            return {
                "words": _tsquery(question, between, "A" if in_title else ""),
                "collection": self.collection,
            }
        return {
            "words": _match(question, between, in_title=in_title),
            "first": self.first,
            "last": self.last,
        }

    def _numbers(self, where: Mapping[str, str], values: Mapping[str, Any]) -> Records:
        """The numbers of records, as one text: a row for each would take longer than to
        find them.
        """
        numbers = _NUMBER[self._kind]
        gathered = (
            f"string_agg(CAST({numbers} AS TEXT), ',')"
            if self._kind == "postgresql"
            else f"group_concat({numbers})"
        )
        inner = f"SELECT {numbers} FROM {where[self._kind]}"  # noqa: S608 - our own words
        found = self.connection.execute(
            text(f"SELECT {gathered} FROM ({inner}) AS found"), values
        ).scalar()
        return (
            np.fromstring(found, np.int64, sep=",") if found else np.zeros(0, np.int64)
        )


def _match(question: Question, between: str, *, in_title: bool) -> str:
    """A question in the language of FTS5. Words have no character that means anything
    in it.
    """
    wanted = f" {between} ".join(map(_phrase, question.wanted))
    wanted = f"title : ({wanted})" if in_title else f"({wanted})"
    unwanted = " OR ".join(map(_phrase, question.unwanted))
    return f"{wanted} NOT ({unwanted})" if unwanted else wanted


def _phrase(term: Term) -> str:
    return f'"{" ".join(term.words)}"' + (" *" if term.prefix else "")


def _tsquery(question: Question, between: str, weight: str) -> str:
    """A question in the language of PostgreSQL."""
    wanted = _lexemes(question.wanted, between, weight)
    return (
        f"({wanted}) & !({_lexemes(question.unwanted, '|', '')})"
        if question.unwanted
        else wanted
    )


def _lexemes(terms: Iterable[Term], between: str, weight: str) -> str:
    written = []
    for term in terms:
        marks = [weight] * (len(term.words) - 1) + [
            ("*" if term.prefix else "") + weight
        ]
        words = [
            f"'{word}':{mark}" if mark else f"'{word}'"
            for word, mark in zip(term.words, marks, strict=True)
        ]
        written.append(f"({' <-> '.join(words)})")
    return f" {between} ".join(written)
