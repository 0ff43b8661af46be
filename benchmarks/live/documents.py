"""Documents that nobody wrote, for engines to find: each word of `QUERIES` is in a known
share of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

COUNT = 60
_TOPICS = (
    "barley meadow whetstone granary orchard hayloft furrow sickle windrow pasture"
    " clover stubble shovel lantern cellar bramble kestrel weir ferry copper linen"
    " saddle anvil bellows harrow trough paddock thicket hedgerow millpond"
).split()
_FILLERS = (
    "which the farmers kept near every village until winter came again with rain over"
    " fields where people walked between old stone walls under grey skies toward market"
    " towns before evening"
).split()
_PEOPLE = (
    "Ada Quill", "Bruno Hale", "Cora Finch", "Dirk Moss", "Edda Rowe", "Finn Vale", "Greta Stone",
)  # fmt: skip
QUERIES = ("kestrel", "copper", "saddle", "lantern", "trough", "ferry", "thicket")
"""Words that are asked for; sample queries may be among them, and are left out then."""


@dataclass(frozen=True)
class Document:
    """Something to be found."""

    number: int
    topics: tuple[str, ...]
    title: str
    text: str
    author: str
    written: datetime

    @property
    def slug(self) -> str:
        """The name of its page."""
        return f"doc-{self.number:03}"

    @property
    def mail(self) -> str:
        """The address of its author."""
        return self.author.lower().replace(" ", ".") + "@example.org"

    @property
    def day(self) -> str:
        """The day it was written."""
        return self.written.strftime("%Y-%m-%d")

    def has(self, word: str) -> bool:
        """Return whether a word is in its title or text."""
        return word in self.topics


def documents(count: int = COUNT) -> list[Document]:
    """Return the documents, the same every time."""
    return [_document(number) for number in range(1, count + 1)]


def _document(number: int) -> Document:
    random = Random(number)
    topics = tuple(random.sample(_TOPICS, 5))
    first, second, *others = topics
    title = f"The {first} and the {second}, part {number}"
    sentences = [_sentence(random, topic) for topic in (first, *others, second)]
    written = datetime(2023, 1, 3, 9, 30, tzinfo=UTC) + timedelta(days=7 * number)
    text = " ".join(sentences)
    return Document(number, topics, title, text, random.choice(_PEOPLE), written)


def _sentence(random: Random, topic: str) -> str:
    words = [*random.sample(_FILLERS, 9), topic, *random.sample(_FILLERS, 4)]
    return " ".join(words).capitalize() + "."


def found(known: Sequence[Document], query: str) -> list[Document]:
    """Return the documents that have all words of a query."""
    words = query.lower().split()
    return [document for document in known if all(map(document.has, words))]


def as_json(known: Sequence[Document]) -> str:
    """Return the documents as the scripts that fill engines read them: lists of title,
    text, author and moment.
    """
    rows = []
    for document in known:
        written = document.written.isoformat()
        rows.append([document.title, document.text, document.author, written])
    return json.dumps(rows)
