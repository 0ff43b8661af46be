"""Surveys: what the pages of a cluster have, by a sample of them: slots, how many pages
have each, examples, labels and suggested fields.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

from scythe.collect.context import RunContext
from scythe.collect.fields.class_names import class_name
from scythe.collect.fields.slots import MAX_EXAMPLES, CollectionSlot, add_suggestions
from scythe.collect.records.field_values import (
    SlotFields,
    collection_slot,
    slot_values,
)
from scythe.collect.records.schema import RecordSchema
from scythe.collect.records.text_parts import TextPart
from scythe.collect.steps.importer import merge_index_values
from scythe.store.collections.extractions import (
    ClusterRow,
    ExtractedPage,
    evenly_spaced,
)
from scythe.templates.slot import SlotId, Suggestion
from scythe.templates.suggestions.suggestions import suggest
from scythe.templates.template.template import Template
from scythe.tree.parse import parse

SAMPLE_SIZE = 300
"""Pages of a survey. What a slot is called shows on a handful; what share of pages have
it, to three points on these.
"""
SUGGESTION_PAGES = 5
"""Pages that suggestions are made from, as an operator would look at some: a bound on
work, not tuned.
"""
MAX_SAMPLES = 40
"""Pages whose values of a slot are kept: a bound on memory, not tuned."""
CACHE_SIZE = 32
"""Surveys that are remembered: an operator goes back and forth between clusters of a
few collections. A bound on memory, not tuned.
"""


@dataclass
class SlotStatistics:
    """A slot as the pages of a sample have it."""

    slot: str
    support: int = 0
    max_values: int = 0
    """The most values that a page has."""
    position: float = 0.0
    """Which slot of the page it is, on average: 0 is the first."""
    examples: dict[str, int] = field(default_factory=dict)
    """Values, each with a page that has it."""
    varies: bool = False
    """Whether two pages have different values."""
    samples: list[Sequence[str]] = field(default_factory=list)
    """What the first pages have."""

    def add(self, position: int, values: Sequence[str], page: int) -> None:
        """Count the values that one page has."""
        total = self.position * self.support + position
        self.support += 1
        self.position = total / self.support
        self.max_values = max(self.max_values, len(values))
        if len(self.samples) < MAX_SAMPLES:
            self.samples.append(values)
        self.varies = self.varies or list(values) != list(self.samples[0])
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.setdefault(values[0], page)


@dataclass(frozen=True)
class Survey:
    """What the pages of a sample of a cluster have."""

    cluster: int
    sampled: int
    total: int
    statistics: Mapping[str, SlotStatistics]
    labels: Mapping[str, str]
    suggestions: Mapping[str, Suggestion]
    pages: Sequence[int]
    """The numbers of the pages of the sample."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What the values of a template's slots are: `text`, `link`, `image`, `price`..."""
    class_names: Mapping[str, str] = field(default_factory=dict)
    """What the site calls the elements of a template's slots."""

    def slots(
        self, slot_fields: SlotFields, schema: RecordSchema
    ) -> list[CollectionSlot]:
        """Return the slots with their fields and suggestions, in page order."""
        in_page_order = sorted(
            self.statistics.values(),
            key=lambda found: (found.position, found.slot),
        )
        slots = [
            CollectionSlot(
                found.slot,
                found.support,
                list(found.examples),
                self.labels.get(found.slot, ""),
                list(found.examples.values()),
                found.max_values,
                kind=self.kinds.get(found.slot, "text"),
                has_other_values=found.varies,
                class_name=self.class_names.get(found.slot, ""),
            )
            for found in in_page_order
        ]
        add_suggestions(
            slots,
            slot_fields,
            schema,
            self.suggestions,
        )
        return slots


def survey_cluster(context: RunContext, cluster: ClusterRow) -> Survey:
    """Return what a sample of a cluster's pages has: those that are there now first, and
    by these alone what is suggested.
    """
    present_ids = context.extractions.present_ids(cluster.cluster)
    present = evenly_spaced(present_ids, SAMPLE_SIZE)
    current = set(present_ids)
    ids = context.extractions.ids(cluster.cluster)
    earlier = [page for page in ids if page not in current]
    room = SAMPLE_SIZE - len(present)
    sample = [*present, *evenly_spaced(earlier, room)]
    examples = context.extractions.read(sample)
    pages = [example.row.page_id for example in examples]
    known = _template_knowledge(context, cluster.cluster, present)
    labels, suggestions, kinds, class_names = known
    return Survey(
        cluster.cluster,
        len(examples),
        cluster.pages,
        count_slots(examples, index_values(context, examples)),
        labels,
        suggestions,
        pages,
        kinds,
        class_names,
    )


def survey_clusters(context: RunContext) -> list[Survey]:
    """Return surveys of all clusters, the largest first."""
    clusters = context.extractions.clusters()
    return [survey_cluster(context, row) for row in clusters]


def index_values(
    context: RunContext, examples: Sequence[ExtractedPage]
) -> dict[int, dict[str, list[str]]]:
    """Return what index pages say of some pages, by page."""
    listed = context.index_pages.records_of(example.url for example in examples)
    return {
        example.row.page_id: merge_index_values(listed.get(example.url, []))
        for example in examples
    }


def count_slots(
    examples: Sequence[ExtractedPage], from_index: Mapping[int, Mapping[str, list[str]]]
) -> dict[str, SlotStatistics]:
    """Return which slots the pages have, with examples and counts."""
    statistics: dict[str, SlotStatistics] = {}
    for example in examples:
        page = example.row.page_id
        values_by_slot = slot_values(example.row, from_index[page])
        for position, (slot, values) in enumerate(values_by_slot.items()):
            if values:
                known = statistics.setdefault(slot, SlotStatistics(slot))
                known.add(position, values, page)
    return statistics


def _template_knowledge(
    context: RunContext, cluster: int, pages: Sequence[int]
) -> tuple[dict[str, str], dict[str, Suggestion], dict[str, str], dict[str, str]]:
    """Return what the template knows of its slots: labels, the fields that several
    kinds of evidence suggest, what their values are, and their class names.
    """
    stored = context.templates.latest(cluster)
    if stored is None:
        return {}, {}, {}, {}
    template = Template.from_json(stored.definition)
    labels = {
        collection_slot(cluster, slot.id): slot.label
        for slot in template.all_slots
        if slot.label
    }
    kinds = {
        collection_slot(cluster, slot.id): slot.kind for slot in template.all_slots
    }

    trees = []
    for number in evenly_spaced(pages, SUGGESTION_PAGES):
        page = context.extractions.page(number)
        if page.body_hash:
            body = context.pages.body(page.body_hash)
            tree = parse(body, charset=page.charset)
            trees.append((tree, page.final_url or page.url))
    found = suggest(template, trees, context.kind) if trees else []
    suggestions = {
        collection_slot(cluster, suggestion.slot): suggestion for suggestion in found
    }
    class_names = {
        collection_slot(cluster, slot.id): class_name(slot.path)
        for slot in template.all_slots
    }
    return labels, suggestions, kinds, class_names


def all_slots(context: RunContext) -> list[CollectionSlot]:
    """Return the slots of all clusters, each once, those with fields first, then those
    of most pages.
    """
    slot_fields, schema = context.named_slots, context.schema
    found: dict[str, CollectionSlot] = {}
    for name, given in slot_fields.items():
        field_name, type_ = given[0], given[1] or None
        found[name] = CollectionSlot(name, field=field_name, type=type_)

    for cluster in context.extractions.clusters():
        for slot in survey_cluster(context, cluster).slots(slot_fields, schema):
            known = found.get(slot.slot)
            if known is not None:
                slot.support += known.support
                examples = dict.fromkeys([*known.examples, *slot.examples])
                slot.examples = list(examples)[:MAX_EXAMPLES]
            found[slot.slot] = slot
    _show_parts(found)

    return sorted(
        found.values(),
        key=lambda slot: (slot.field is None, -slot.support, slot.slot),
    )


def _show_parts(slots: Mapping[str, CollectionSlot]) -> None:
    """Give slots that are parts of others the examples and the support of these."""
    for slot in slots.values():
        slot_id = SlotId.parse(slot.slot)
        whole = slots.get(slot_id.whole)
        if slot_id.part and whole is not None:
            part = TextPart.parse(slot_id.part)
            slot.support = whole.support
            slot.examples = part.of(whole.examples)
            slot.pages = whole.pages


class SurveyCache:
    """Surveys that were made, as long as pages and templates are what they were."""

    def __init__(self) -> None:
        self._surveys: OrderedDict[tuple[object, ...], Survey] = OrderedDict()
        self._lock = Lock()

    def get(self, context: RunContext, cluster: ClusterRow) -> Survey:
        """Return a survey of a cluster, made anew only where something has changed."""
        last_run = context.runs.last()
        key = (
            context.store.name,
            context.row.id,
            context.row.added_at,
            cluster,
            last_run and (last_run.id, last_run.ended_at),
        )
        with self._lock:
            if key in self._surveys:
                self._surveys.move_to_end(key)
                return self._surveys[key]

        survey = survey_cluster(context, cluster)
        with self._lock:
            self._surveys[key] = survey
            while len(self._surveys) > CACHE_SIZE:
                self._surveys.popitem(last=False)
        return survey
