"""Learning by example: a person gives values of one or two records that they see, and
gets the wrapper whose columns they are.

Sections are found as always; on pages that show the values, only those count whose
records hold them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scythe.errors import UsageError
from scythe.sections.section import Section
from scythe.sections.span import Span, span_texts
from scythe.tree.tree import Tree

APART = 0.5
"""The share of its confidence that a section keeps in which examples of different
columns stand in different records; not tuned.
"""


@dataclass(frozen=True)
class Example:
    """A value that a reader sees in a record, and the name for its column, if any."""

    value: str
    name: str | None

    @cached_property
    def key(self) -> str:
        """What is compared: the value without spaces and case."""
        return squeezed(self.value)


Examples = Mapping[str, str | Sequence[str]] | Sequence[str] | Sequence[Example]
"""Values that a reader sees, by the name of their column or without names."""


def squeezed(text: str) -> str:
    """Return a text without white space and case."""
    return "".join(text.split()).casefold()


def parse_example(text: str) -> Example:
    """Return an example as the command line has it: `VALUE`, or `NAME=VALUE`."""
    name, sign, value = text.partition("=")
    if sign and name.isidentifier():
        return Example(value, name)
    return Example(text, None)


def parse_examples(examples: Examples) -> tuple[Example, ...]:
    """Return the examples, each with a name or without."""
    if isinstance(examples, str):
        examples = [examples]
    found: list[Example] = []
    if isinstance(examples, Mapping):
        for name, given in examples.items():
            values = [given] if isinstance(given, str) else given
            found.extend(Example(str(value), name) for value in values)
    else:
        for value in examples:
            example = value if isinstance(value, Example) else Example(str(value), None)
            found.append(example)
    if not found or not all(example.key for example in found):
        raise UsageError("An example is empty. Give a value as the page shows it.")
    return tuple(found)


class ExamplePage:
    """A page on which examples are looked for."""

    def __init__(self, tree: Tree, examples: Sequence[Example]) -> None:
        self.tree = tree
        self.examples = examples

    @cached_property
    def shown(self) -> list[Example]:
        """The examples that the page shows."""
        page = Span(0, len(self.tree))
        text = squeezed(span_texts(self.tree, [page])[0])
        return [example for example in self.examples if example.key in text]

    def holders(self, spans: Sequence[Span]) -> dict[Example, set[int]]:
        """Return for each example which of the records hold it."""
        texts = [squeezed(text) for text in span_texts(self.tree, spans)]
        holders = {}
        for example in self.shown:
            numbers = enumerate(texts)
            holders[example] = {
                number for number, text in numbers if example.key in text
            }
        return holders

    def with_examples(self, sections: Sequence[Section]) -> list[Section]:
        """Return the sections whose records hold the examples of the page. What stands
        among the records and holds one is a record too, whatever was thought of it.

        Values of different columns are of one record more often than of two, so that
        sections without a record that holds all of them are less likely.
        """
        found = self._holding_sections(sections)
        if not self._are_of_different_columns:
            return found
        return list(map(self._weighed, found))

    @property
    def _are_of_different_columns(self) -> bool:
        names = {example.name for example in self.shown}
        return None not in names and len(names) == len(self.shown)

    def _weighed(self, section: Section) -> Section:
        holders = self.holders(section.spans)
        of_all = set.intersection(*holders.values())
        if of_all:
            return section
        confidence = APART * section.confidence
        return replace(section, confidence=confidence)

    def _holding_sections(self, sections: Sequence[Section]) -> list[Section]:
        found = []
        for section in sections:
            held = self.holders(section.spans)
            missing = [example for example in self.shown if not held[example]]
            if not missing:
                found.append(section)
                continue
            if not section.left_out:
                continue
            left_out = self.holders(section.left_out)
            left_out_holders = [left_out[example] for example in missing]
            if all(left_out_holders):
                numbers = set().union(*left_out_holders)
                added = [section.left_out[number] for number in numbers]
                spans = tuple(sorted([*section.spans, *added]))
                found.append(Section(spans, section.confidence))
        return found


def require_shown(pages: Sequence[ExamplePage], examples: Sequence[Example]) -> None:
    """Raise a `UsageError` for an example that no page shows."""
    shown: set[Example] = set()
    for page in pages:
        shown.update(page.shown)
    for example in examples:
        if example not in shown:
            raise UsageError(
                f"No page shows {example.value!r}. Copy a value as the page shows it."
            )
