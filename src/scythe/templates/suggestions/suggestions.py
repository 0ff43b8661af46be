"""Names for the slots of a template, proposed with their evidence; an operator's word
stands above every one of them.

Evidence of five kinds, from the strongest: the page declares the same value in
schema.org's words; a label beside the values names the field; the mark-up does
(`itemprop`, class names); the values look like it (what the head of the page calls its
title, lines that the reader of recipes takes for ingredients); operators gave slots
with such labels and classes that name on other sites. Pieces of evidence of different
kinds add up, like independent witnesses; those of one kind do not.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from scythe.boosting import TreeEnsemble
from scythe.content.metadata import read_metadata
from scythe.templates.declared.record import declared_record
from scythe.templates.declared.schemas import ARTICLE, RECIPE, SCHEMAS, Schema
from scythe.templates.lines.lines import Lines
from scythe.templates.lines.recipe_parts import PARTS, chosen_lines, line_probabilities
from scythe.templates.page_records import FROM_HEAD
from scythe.templates.slot import Slot, Suggestion
from scythe.templates.suggestions.labels import field_of_label, looks_like_field
from scythe.templates.suggestions.memory import NameMemory, words_of_place
from scythe.templates.template.extracted import Extracted
from scythe.tree.text import letters_and_digits
from scythe.tree.tree import Bools, Tree

LEAST = 0.5
"""Confidence from which on a name is proposed."""
DECLARED, DECLARED_INSIDE, LABELLED, PROPERTY, CLASSES, IN_HEAD, HEADING = (
    0.95,
    0.5,
    0.8,
    0.95,
    0.5,
    0.7,
    0.5,
)
"""What evidence is worth where all pages agree on it. A declared value is as good as an
operator's word but for pages that declare something else than they show; class names
are often of the box around several values.
"""

PICTURE = 0.75
"""What the first picture is worth that is another one on every page."""
LOOKS = 0.9
UNLIKELY = 0.2
"""Share of the lines of a slot that must read like something for headings and class
names around them to be believed.
"""

MOST_VALUES = 50
"""Values of a slot on a page that are compared with what the page declares."""
ONE_VALUE = frozenset({"duration", "number", "price", "date", "image", "person"})
"""Types of which a thing has one value: authors of comments are no authors of the page."""

_PROPERTY = re.compile(r"@([\w-]+)")
_LAST_STEPS = 3

Page = tuple[Tree, str | None]


class Slotted(Protocol):
    """What is needed of a template."""

    @property
    def slots(self) -> list[Slot]:
        """Where its pages differ."""

    def extract(self, page: Page) -> Extracted:
        """The values of a page."""


class Witness(NamedTuple):
    """One piece of evidence for a name of a slot."""

    kind: str
    weight: float
    words: str


Case = dict[str, dict[str, dict[str, Witness]]]
"""By slot, name and kind of evidence, the strongest witness."""


def suggest(
    template: Slotted,
    pages: Sequence[Page],
    schema: Schema | None = None,
    memory: NameMemory | None = None,
    model: TreeEnsemble | None = None,
) -> list[Suggestion]:
    """Names for slots, from some pages of the template; the best first.

    Without a kind of thing given, it is what most of the pages declare, or recipes
    where they look like it. `model` judges lines in place of the one that is installed.
    """
    read = [template.extract(page) for page in pages]
    declared = schema or _declared_kind(pages)
    open_ = schema is None and declared in (
        None,
        ARTICLE,
    )  # whatever a page is about, its software calls it an article
    lines = [Lines.of(tree) for tree, _ in pages] if open_ or declared is RECIPE else []
    chosen = list(map(chosen_lines, lines, line_probabilities(lines, model)))
    recipes = sum(map(bool, chosen))
    schema = RECIPE if open_ and recipes and 2 * recipes >= len(pages) else declared
    shown = [
        slot
        for slot in template.slots
        if not slot.path.startswith(("head >", "html > head >"))
    ]
    slots = [slot for slot in shown if any(slot.id in values for values in read)]
    case: Case = defaultdict(lambda: defaultdict(dict))
    for slot in slots:
        _hear_labels(
            case,
            slot,
            [text for values in read for text in values.get(slot.id, [])][:50],
            schema,
        )
        if memory is not None:
            for name, weight, words in memory.names_for(slot):
                _hear(case, slot.id, name, Witness("memory", weight, words))
    _hear_pages(case, slots, pages, read, schema)
    if schema:
        _hear_pictures(case, slots, read, schema)
    if schema is RECIPE and recipes:
        _hear_lines(case, slots, read, list(zip(lines, chosen, strict=True)))
    return _decided(case, slots, schema)


def _declared_kind(pages: Sequence[Page]) -> Schema | None:
    """The kind of thing that most pages declare."""
    declared = Counter(
        record.kind for tree, _ in pages if (record := declared_record(tree))
    )
    return SCHEMAS[declared.most_common(1)[0][0]] if declared else None


def _hear(case: Case, slot: str, name: str, witness: Witness) -> None:
    known = case[slot][name].get(witness.kind)
    if known is None or witness.weight > known.weight:
        case[slot][name][witness.kind] = witness


def _hear_labels(
    case: Case, slot: Slot, values: Sequence[str], schema: Schema | None
) -> None:
    """What stands beside the values and what their elements are called."""
    if slot.kind not in ("image", "link"):
        name = field_of_label(slot.label)
        if (
            name
            and looks_like_field(name, values)
            and (schema in (None, ARTICLE) or name in schema.by_name)
        ):
            _hear(
                case, slot.id, name, Witness("label", LABELLED, f"label {slot.label!r}")
            )
    if slot.kind == "link":
        return
    steps = slot.path.split(" > ")[-_LAST_STEPS:]
    fields = (
        schema.fields
        if schema
        else [field for each in SCHEMAS.values() for field in each.fields]
    )
    for said in _PROPERTY.findall(" ".join(steps)):
        for field in fields:
            if said in field.properties:
                _hear(
                    case,
                    slot.id,
                    field.name,
                    Witness("mark-up", PROPERTY, f"itemprop {said}"),
                )
    words = {word for step in steps for word in words_of_place(step)}
    for field in fields:
        if (
            words & _words_of_field(field.name)
            and looks_like_field(field.name, values)
            and (field.type == "image") == (slot.kind == "image")
        ):
            _hear(
                case,
                slot.id,
                field.name,
                Witness(
                    "mark-up", CLASSES, f"class names {' '.join(sorted(words))[:60]}"
                ),
            )
    if (
        schema
        and {"h1"} & {step.partition(".")[0].partition("#")[0] for step in steps}
        and not slot.repeatable
    ):
        _hear(case, slot.id, "title", Witness("mark-up", HEADING, "the page's heading"))


def _words_of_field(name: str) -> set[str]:
    """Class words that mean a field: its name with the parts run together, and without
    the plural.
    """
    joined = name.replace("_", "")
    return {joined, joined.rstrip("s")}


def _hear_pages(
    case: Case,
    slots: Iterable[Slot],
    pages: Sequence[Page],
    read: Sequence[Extracted],
    schema: Schema | None,
) -> None:
    """What the pages declare of themselves, compared with what stands in the slots."""
    told: list[dict[tuple[str, str, str], set[str]]] = []
    for page in pages:
        said: dict[tuple[str, str, str], set[str]] = {}
        record = declared_record(page[0], schema)
        for name, texts in (record.values if record else {}).items():
            said["declared", name, (record.sources if record else {})[name]] = set(
                filter(None, map(letters_and_digits, texts))
            )
        known = read_metadata(*page)
        for name in FROM_HEAD:
            if (value := getattr(known, name)) and (
                schema is None or name in schema.by_name
            ):
                said[
                    "head",
                    name,
                    f"the page's {name} ({known.sources.get(name, 'metadata')})",
                ] = {letters_and_digits(value)}
        told.append(said)
    for slot in slots:
        heard: dict[tuple[str, str, str], list[float]] = defaultdict(list)
        for values, said in zip(read, told, strict=True):
            own = [
                key
                for text in values.get(slot.id, [])[:MOST_VALUES]
                if (key := letters_and_digits(text))
            ]
            for statement, known_texts in said.items() if own else ():
                heard[statement].append(_agreement(own, known_texts))
        for (kind, name, source), shares in heard.items():
            share = sum(shares) / len(shares)
            if share > 0.25:
                weight = (DECLARED if kind == "declared" else IN_HEAD) * share
                _hear(
                    case,
                    slot.id,
                    name,
                    Witness(
                        kind,
                        weight,
                        f"{source} on {sum(each > 0 for each in shares)} of {len(shares)} pages",
                    ),
                )


def _hear_pictures(
    case: Case, slots: Iterable[Slot], read: Sequence[Extracted], schema: Schema
) -> None:
    """The first picture that every page has one of, and each its own, shows what the
    page is about.
    """
    name = next((field.name for field in schema.fields if field.type == "image"), None)
    for slot in slots:
        if name and slot.kind == "image" and not slot.repeatable:
            shown = [tuple(values.get(slot.id, ())) for values in read]
            if len(shown) > 1 and all(shown) and len(set(shown)) == len(shown):
                _hear(
                    case,
                    slot.id,
                    name,
                    Witness("looks", PICTURE, "another picture on every page"),
                )
                return


def _agreement(own: Sequence[str], texts: set[str]) -> float:
    """The share of a slot's values that a statement has, those that only contain it
    counting less.
    """
    same = sum(value in texts for value in own)
    inside = sum(
        any(
            len(text) > 3 and text in value and len(value) < 3 * len(text)
            for text in texts
        )
        for value in own
        if value not in texts
    )
    return (same + DECLARED_INSIDE * inside) / len(own)


def _hear_lines(
    case: Case,
    slots: Iterable[Slot],
    read: Sequence[Extracted],
    chosen: Sequence[tuple[Lines, Mapping[str, tuple[Bools, float]]]],
) -> None:
    """What the reader of recipe pages takes the lines of a slot for.

    Headings and class names are of whole boxes: where the lines in them read like
    something else, what they say is not heard.
    """
    for slot in slots:
        for part in PARTS:
            heard: list[bool] = []
            for values, (lines, parts) in zip(read, chosen, strict=True):
                places = lines.line_of[values.nodes.get(slot.id, [])]
                heard.extend(
                    parts[part][0][places[places >= 0]].tolist()
                    if part in parts
                    else ()
                )
            share = sum(heard) / len(heard) if heard else 0.0
            if share >= UNLIKELY:
                _hear(
                    case,
                    slot.id,
                    part,
                    Witness(
                        "looks",
                        LOOKS * share,
                        f"{share:.0%} of its lines read like {part}",
                    ),
                )
            elif "declared" not in case[slot.id][part]:
                del case[slot.id][part]


def _decided(
    case: Case, slots: Sequence[Slot], schema: Schema | None
) -> list[Suggestion]:
    """The best name of each slot; a name that has one value goes to the best slot only."""
    order = {slot.id: place for place, slot in enumerate(slots)}
    types: Mapping[str, str] = {
        field.name: field.type
        for each in ([schema] if schema else SCHEMAS.values())
        for field in each.fields
    }
    ranked = []
    for slot, names in case.items():
        for name, witnesses in names.items():
            doubt = float(
                np.prod([1 - witness.weight for witness in witnesses.values()])
            )
            words = "; ".join(
                witness.words
                for witness in sorted(witnesses.values(), key=lambda each: -each.weight)
            )
            if 1 - doubt >= LEAST:
                ranked.append((-(1 - doubt), order[slot], name, words, slot))
    suggestions: dict[str, Suggestion] = {}
    taken: set[str] = set()
    repeatable = {slot.id for slot in slots if slot.repeatable}
    for minus, _, name, words, slot in sorted(ranked):
        many = types.get(name) == "lines"
        if slot in repeatable and types.get(name) in ONE_VALUE:
            continue
        if slot not in suggestions and (many or name not in taken):
            suggestions[slot] = Suggestion(
                slot, name, types.get(name, "text"), round(-minus, 3), words
            )
            taken.add(name)
    return sorted(
        suggestions.values(),
        key=lambda suggestion: (-suggestion.confidence, order[suggestion.slot]),
    )
