"""What the pages of a cluster have, looked up on some of them: slots, how many pages
have each, examples, labels, proposals.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

from scythe.collect.context import Work
from scythe.collect.fields.names import (
    EXAMPLES,
    Attribute,
    Names,
    in_cluster,
    propose_all,
    values_of,
)
from scythe.collect.records.imports import joined
from scythe.collect.records.schema import RecordSchema
from scythe.store.collections.extractions import (
    ClusterRow,
    ExtractedPage,
    ExtractionRows,
    evenly_spaced,
)
from scythe.templates.slot import Suggestion
from scythe.templates.suggestions.suggestions import suggest
from scythe.templates.template.template import Template
from scythe.tree.parse import parse

LOOKED = 300
"""Pages that are looked at. What a slot is called shows on a handful; what share of
pages have it, to three points on these.
"""
READ = 5
"""Pages that proposals are made from, as an operator would look at some."""
KEPT = 32
"""Surveys that are remembered: an operator goes back and forth between clusters of a
few collections.
"""


@dataclass
class Found:
    """A slot as some pages have it."""

    slot: str
    support: int = 0
    most: int = 0
    """The most values that a page has."""
    place: float = 0.0
    """Where it stands on pages, on average: 0 at the top."""
    examples: dict[str, int] = field(default_factory=dict)
    """Values, each with a page that has it."""


@dataclass(frozen=True)
class Survey:
    """What was found on some pages of a cluster."""

    cluster: int
    looked: int
    total: int
    slots: Mapping[str, Found]
    labels: Mapping[str, str]
    proposals: Mapping[str, Suggestion]
    pages: Sequence[int]
    """The numbers of the pages that were looked at."""

    def attributes(self, names: Names, schema: RecordSchema) -> list[Attribute]:
        """The slots with names and proposals, in the order of the page."""
        made = []
        for found in sorted(
            self.slots.values(), key=lambda each: (each.place, each.slot)
        ):
            attribute = Attribute(
                found.slot,
                found.support,
                list(found.examples),
                self.labels.get(found.slot, ""),
            )
            attribute.pages, attribute.most = list(found.examples.values()), found.most
            made.append(attribute)
        propose_all(made, names, schema, self.proposals)
        return made


def survey(work: Work, cluster: ClusterRow) -> Survey:
    """Look at some pages of a cluster."""
    rows = ExtractionRows(work.store, work.row.id)
    chosen = evenly_spaced(rows.ids(cluster.cluster), LOOKED)
    examples = rows.read(chosen)
    found = _found(examples, index_values(work, examples))
    labels, proposals = _of_template(
        work, cluster.cluster, [example.row.page_id for example in examples], rows
    )
    return Survey(
        cluster.cluster,
        len(examples),
        cluster.pages,
        found,
        labels,
        proposals,
        [each.row.page_id for each in examples],
    )


def index_values(
    work: Work, examples: Sequence[ExtractedPage]
) -> dict[int, dict[str, list[str]]]:
    """What index pages say of some pages, by page."""
    said = work.index_pages.records_of(example.url for example in examples)
    return {
        example.row.page_id: joined(said.get(example.url, [])) for example in examples
    }


def _found(
    examples: Sequence[ExtractedPage], index: Mapping[int, Mapping[str, list[str]]]
) -> dict[str, Found]:
    found: dict[str, Found] = {}
    for example in examples:
        page = example.row.page_id
        for place, (slot, values) in enumerate(
            values_of(example.row, index[page]).items()
        ):
            if values:
                known = found.setdefault(slot, Found(slot))
                known.place = (known.place * known.support + place) / (
                    known.support + 1
                )
                known.support += 1
                known.most = max(known.most, len(values))
                if len(known.examples) < EXAMPLES:
                    known.examples.setdefault(values[0], page)
    return found


def _of_template(
    work: Work, cluster: int, pages: Sequence[int], rows: ExtractionRows
) -> tuple[dict[str, str], dict[str, Suggestion]]:
    """What the template knows of its slots: labels, and names that several kinds of
    evidence speak for.
    """
    stored = work.templates.latest(cluster)
    if stored is None:
        return {}, {}
    template = Template.from_json(stored.definition)
    labels = {
        in_cluster(cluster, slot.id): slot.label
        for slot in template.all_slots
        if slot.label
    }
    trees = []
    for number in evenly_spaced(pages, READ):
        page = rows.page(number)
        if page.body_hash:
            trees.append(
                (
                    parse(work.pages.body(page.body_hash), charset=page.charset),
                    page.final_url or page.url,
                )
            )
    proposed = suggest(template, trees, work.kind) if trees else []
    return labels, {
        in_cluster(cluster, proposal.slot): proposal for proposal in proposed
    }


def all_attributes(work: Work) -> list[Attribute]:
    """The slots of all clusters, each once, those with names first, then those of most
    pages.
    """
    names, schema = work.names, work.schema
    found: dict[str, Attribute] = {
        slot: Attribute(slot, name=said[0], type=said[1] or None)
        for slot, said in names.items()
    }
    for cluster in ExtractionRows(work.store, work.row.id).clusters():
        for attribute in survey(work, cluster).attributes(names, schema):
            known = found.get(attribute.slot)
            if known is not None:
                attribute.support += known.support
                attribute.examples = list(
                    dict.fromkeys([*known.examples, *attribute.examples])
                )[:EXAMPLES]
            found[attribute.slot] = attribute
    return sorted(
        found.values(),
        key=lambda attribute: (
            attribute.name is None,
            -attribute.support,
            attribute.slot,
        ),
    )


class Surveys:
    """Surveys that were made, as long as pages and templates are what they were."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[object, ...], Survey] = OrderedDict()
        self._lock = Lock()

    def of(self, work: Work, cluster: ClusterRow) -> Survey:
        """A survey of a cluster, made anew only where something has changed since."""
        last = work.runs.last()
        key = (
            work.store.name,
            work.row.id,
            work.row.added_at,
            cluster,
            last and (last.id, last.ended_at),
        )
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        made = survey(work, cluster)
        with self._lock:
            self._made[key] = made
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        return made
