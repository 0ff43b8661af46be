"""Evidence in pages: what they declare of themselves, their images, and what their lines
read like.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scythe.content.metadata import read_metadata
from scythe.templates.declared.record import declared_record
from scythe.templates.declared.schemas import HEAD_FIELDS, Schema
from scythe.templates.lines.lines import PageLines
from scythe.templates.lines.recipe_parts import PARTS, SelectedLines
from scythe.templates.slot import FieldName, Slot
from scythe.templates.suggestions.evidence import Evidence, EvidenceKind, EvidenceTable
from scythe.templates.template.extracted import Extracted
from scythe.tree.text import letters_and_digits
from scythe.tree.tree import Tree

DECLARED_WEIGHT = 0.95
HEAD_WEIGHT = 0.7
"""What evidence is worth where all pages agree on it, set by hand. A declared value is
as good as an operator's word but for pages that declare something else than they show.
"""
CONTAINED_WEIGHT = 0.5
"""How much a value counts that only contains what the page declares."""
MIN_AGREEMENT = 0.25
"""The share of values beyond which what pages declare is evidence at all. Not tuned."""
IMAGE_WEIGHT = 0.75
"""What the first image is worth that is another one on every page. Set by hand."""
LINES_WEIGHT = 0.9
MIN_LINES_SHARE = 0.2
"""Share of the lines of a slot that must read like something for headings and class
names around them to be believed.
"""

MAX_COMPARED_VALUES = 50
"""Values of a slot on a page that are compared with what the page declares. A bound on
work.
"""
_MIN_CONTAINED = 3
_MAX_TIMES_LONGER = 3
"""A value contains a text that is longer than so many characters, if it is less than so
many times longer itself.
"""

Page = tuple[Tree, str | None]
"""A page and its address."""

JudgedLines = tuple[PageLines, Mapping[str, SelectedLines]]
"""The lines of a page, and those selected as parts of a recipe."""


class _Declaration(NamedTuple):
    """A field that a page declares, and where."""

    kind: EvidenceKind
    name: FieldName
    source: str


def add_declared_evidence(
    table: EvidenceTable,
    slots: Iterable[Slot],
    pages: Sequence[Page],
    extracted: Sequence[Extracted],
    schema: Schema | None,
) -> None:
    """Add what the pages declare of themselves, compared with the values of the slots."""
    declared = [_declarations(page, schema) for page in pages]
    for slot in slots:
        agreements: dict[_Declaration, list[float]] = defaultdict(list)
        for values, page_declared in zip(extracted, declared, strict=True):
            compared = values.get(slot.id, [])[:MAX_COMPARED_VALUES]
            keys = map(letters_and_digits, compared)
            own = list(filter(None, keys))
            if not own:
                continue
            for declaration, texts in page_declared.items():
                agreement = _agreement(own, texts)
                agreements[declaration].append(agreement)

        for declaration, shares in agreements.items():
            share = sum(shares) / len(shares)
            if share <= MIN_AGREEMENT:
                continue
            is_declared = declaration.kind is EvidenceKind.DECLARED
            weight = DECLARED_WEIGHT if is_declared else HEAD_WEIGHT
            agreeing = [page_share for page_share in shares if page_share > 0]
            source = declaration.source
            reason = f"{source} on {len(agreeing)} of {len(shares)} pages"
            evidence = Evidence(declaration.kind, weight * share, reason)
            table.add(slot.id, declaration.name, evidence)


def _declarations(page: Page, schema: Schema | None) -> dict[_Declaration, set[str]]:
    """Return the values that a page declares, in letters and digits alone."""
    found: dict[_Declaration, set[str]] = {}
    tree, _ = page
    record = declared_record(tree, schema)
    if record:
        for name, texts in record.values.items():
            source = record.sources[name]
            declaration = _Declaration(EvidenceKind.DECLARED, name, source)
            keys = map(letters_and_digits, texts)
            found[declaration] = set(filter(None, keys))

    metadata = read_metadata(*page)
    for name in HEAD_FIELDS:
        value = getattr(metadata, name)
        is_field = schema is None or name in schema.by_name
        if value and is_field:
            origin = metadata.sources.get(name, "metadata")
            source = f"the page's {name} ({origin})"
            declaration = _Declaration(EvidenceKind.HEAD, name, source)
            found[declaration] = {letters_and_digits(value)}
    return found


def _agreement(own: Sequence[str], declared: set[str]) -> float:
    """Return the share of a slot's values that are declared, those that only contain a
    declared one counting less.
    """
    equal = sum(value in declared for value in own)
    others = [value for value in own if value not in declared]
    containing = sum(_contains_one(value, declared) for value in others)
    return (equal + CONTAINED_WEIGHT * containing) / len(own)


def _contains_one(value: str, declared: set[str]) -> bool:
    for text in declared:
        if len(text) <= _MIN_CONTAINED or text not in value:
            continue
        if len(value) < _MAX_TIMES_LONGER * len(text):
            return True
    return False


def add_image_evidence(
    table: EvidenceTable,
    slots: Iterable[Slot],
    extracted: Sequence[Extracted],
    schema: Schema,
) -> None:
    """Add that the first image that every page has one of, and each its own, shows what
    the page is about.
    """
    image_fields = [field.name for field in schema.fields if field.type == "image"]
    if not image_fields or len(extracted) < 2:
        return
    for slot in slots:
        if slot.kind != "image" or slot.repeatable:
            continue
        images = [tuple(values.get(slot.id, ())) for values in extracted]
        are_different = len(set(images)) == len(images)
        if all(images) and are_different:
            reason = "another picture on every page"
            evidence = Evidence(EvidenceKind.LOOKS, IMAGE_WEIGHT, reason)
            table.add(slot.id, image_fields[0], evidence)
            return


def add_line_evidence(
    table: EvidenceTable,
    slots: Iterable[Slot],
    extracted: Sequence[Extracted],
    judged: Sequence[JudgedLines],
) -> None:
    """Add what the model of recipe pages takes the lines of a slot for.

    Headings and class names are of whole boxes: where the lines in them read like
    something else, what they say is refuted.
    """
    for slot in slots:
        for part in PARTS:
            share = _share_of_part(slot, part, extracted, judged)
            if share < MIN_LINES_SHARE:
                table.refute(slot.id, part)
                continue
            reason = f"{share:.0%} of its lines read like {part}"
            evidence = Evidence(EvidenceKind.LOOKS, LINES_WEIGHT * share, reason)
            table.add(slot.id, part, evidence)


def _share_of_part(
    slot: Slot,
    part: str,
    extracted: Sequence[Extracted],
    judged: Sequence[JudgedLines],
) -> float:
    """Return the share of a slot's lines that were selected as a part of a recipe."""
    is_selected: list[bool] = []
    for values, (lines, parts) in zip(extracted, judged, strict=True):
        if part not in parts:
            continue
        nodes = values.nodes.get(slot.id, [])
        numbers = lines.line_of[nodes]
        numbers = numbers[numbers >= 0]
        selected = parts[part].selected[numbers]
        is_selected.extend(selected.tolist())
    if not is_selected:
        return 0.0
    return sum(is_selected) / len(is_selected)
