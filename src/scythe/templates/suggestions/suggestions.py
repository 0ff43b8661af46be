"""Names for the slots of a template, suggested with their evidence; an operator's
annotation stands above every one of them.

Evidence of five kinds, from the strongest: the page declares the same value in
schema.org's words; a label beside the values names the field; the mark-up does
(`itemprop`, class names); the values look like it (what the head of the page calls its
title, lines that the model of recipes takes for ingredients); operators gave slots with
such labels and classes that name on other sites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from scythe.boosting import TreeEnsemble
from scythe.templates.declared.record import declared_record
from scythe.templates.declared.schemas import (
    ARTICLE,
    RECIPE,
    Schema,
    all_schemas,
    schema_named,
)
from scythe.templates.lines.lines import PageLines
from scythe.templates.lines.recipe_parts import line_probabilities, select_lines
from scythe.templates.slot import Slot, Suggestion
from scythe.templates.suggestions.evidence import Evidence, EvidenceKind, EvidenceTable
from scythe.templates.suggestions.memory import NameMemory
from scythe.templates.suggestions.page_evidence import (
    JudgedLines,
    Page,
    add_declared_evidence,
    add_image_evidence,
    add_line_evidence,
)
from scythe.templates.suggestions.slot_evidence import (
    add_label_evidence,
    add_markup_evidence,
)
from scythe.templates.template.extracted import Extracted

MAX_SAMPLE_VALUES = 50
"""Values of a slot that are compared with what a field looks like. A bound on work."""
MAX_SLOTS = 10_000
"""Slots that names are sought for, the first of the page. A bound on work."""
HUGE_PAGE = 50_000
"""Nodes of a page of which one is read. A bound on work."""
HEAD_PATHS = ("head >", "html > head >")
"""How the paths of slots begin that nobody sees."""


class SlotTemplate(Protocol):
    """What is needed of a template."""

    @property
    def slots(self) -> list[Slot]:
        """Where its pages differ."""

    def extract(self, page: Page) -> Extracted:
        """Return the values of a page."""


def suggest(
    template: SlotTemplate,
    pages: Sequence[Page],
    schema: Schema | None = None,
    memory: NameMemory | None = None,
    model: TreeEnsemble | None = None,
) -> list[Suggestion]:
    """Return names for slots, from some pages of the template; the best first.

    Without a schema given, it is that which most of the pages declare, or recipes where
    they look like it. `model` judges lines in place of the one that is installed.
    """
    pages = _pages_to_read(pages)
    extracted = [template.extract(page) for page in pages]
    schema, judged = _find_schema(pages, schema, model)
    slots = _slots_with_values(template.slots, extracted)

    table = EvidenceTable()
    for slot in slots:
        values = _sample_values(slot, extracted)
        add_label_evidence(table, slot, values, schema)
        add_markup_evidence(table, slot, values, schema)
        if memory is not None:
            for name, weight, reason in memory.names_for(slot):
                evidence = Evidence(EvidenceKind.MEMORY, weight, reason)
                table.add(slot.id, name, evidence)
    add_declared_evidence(table, slots, pages, extracted, schema)
    if schema:
        add_image_evidence(table, slots, extracted, schema)
    if schema is RECIPE and any(parts for _, parts in judged):
        add_line_evidence(table, slots, extracted, judged)
    return table.suggestions(slots, _field_types(schema))


def _pages_to_read(pages: Sequence[Page]) -> list[Page]:
    """Return the pages whose values are read: of huge ones the first alone."""
    kept: list[Page] = []
    has_huge = False
    for page in pages:
        is_huge = len(page[0]) > HUGE_PAGE
        if not (is_huge and has_huge):
            kept.append(page)
        has_huge = has_huge or is_huge
    return kept


def _find_schema(
    pages: Sequence[Page], schema: Schema | None, model: TreeEnsemble | None
) -> tuple[Schema | None, list[JudgedLines]]:
    """Return the schema of the pages, and their lines where they may be recipes."""
    declared = schema or _declared_schema(pages)
    # whatever a page is about, its software calls it an article
    is_open = schema is None and declared in (None, ARTICLE)
    if not is_open and declared is not RECIPE:
        return declared, []

    lines = [PageLines.from_tree(tree) for tree, _ in pages]
    probabilities = line_probabilities(lines, model)
    judged: list[JudgedLines] = []
    for page_lines, page_probabilities in zip(lines, probabilities, strict=True):
        judged.append((page_lines, select_lines(page_lines, page_probabilities)))

    recipes = sum(bool(parts) for _, parts in judged)
    if is_open and recipes and 2 * recipes >= len(pages):
        return RECIPE, judged
    return declared, judged


def _declared_schema(pages: Sequence[Page]) -> Schema | None:
    """Return the schema of what most pages declare."""
    kinds: Counter[str] = Counter()
    for tree, _ in pages:
        record = declared_record(tree)
        if record:
            kinds[record.kind] += 1
    if kinds:
        return schema_named(kinds.most_common(1)[0][0])
    return None


def _slots_with_values(
    slots: Sequence[Slot], extracted: Sequence[Extracted]
) -> list[Slot]:
    """Return the slots in the body of the pages that have a value on one of them, the
    first ones where there are very many.
    """
    seen: set[str] = set()
    for values in extracted:
        seen.update(values)
    found = [
        slot
        for slot in slots
        if slot.id in seen and not slot.path.startswith(HEAD_PATHS)
    ]
    return found[:MAX_SLOTS]


def _sample_values(slot: Slot, extracted: Sequence[Extracted]) -> list[str]:
    sample: list[str] = []
    for values in extracted:
        sample.extend(values.get(slot.id, []))
    return sample[:MAX_SAMPLE_VALUES]


def _field_types(schema: Schema | None) -> Mapping[str, str]:
    """Return the types of fields by name: of one schema, or of all where none is known."""
    types: dict[str, str] = {}
    for known in [schema] if schema else all_schemas():
        for field in known.fields:
            types[field.name] = field.type
    return types
