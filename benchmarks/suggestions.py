"""Suggestions alone: what records hold where an operator accepts what is suggested, and
names nothing.

python -m benchmarks.suggestions [DATA] [--sites NAME...] [--pages 40]

The record pages of a stage of a staged site are read as a collection reads them, by one
template, without a crawl. All suggestions that are sure enough are accepted. A true
value is right if a field of the record holds it, alone or as one of a few words more,
or the same day in the form of the database.
`named` counts only fields of the same name, where the truth's name is one of ours.
Parts of running texts were added with the errors on `pythonjobs` and `jekyllthemes` in
view; nothing was chosen on `chowdown-saathoff` and `howtocook-zh`, which are put aside.
"""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from benchmarks.common import arguments, report, table
from scythe.collect.fields.slots import (
    CollectionSlot,
    accepted_suggestions,
    add_suggestions,
)
from scythe.collect.fields.surveys import SUGGESTION_PAGES, count_slots
from scythe.collect.pages.page_reading import PageReading
from scythe.collect.records.field_values import (
    SlotFields,
    collection_slot,
    field_values,
    schema_with_fields,
    slot_values,
)
from scythe.collect.records.schema import FieldRule, collection_schema, known_kind
from scythe.collect.records.standardize.types import Malformed, standardize_field
from scythe.store.collections.extractions import ExtractedPage, evenly_spaced
from scythe.store.collections.templates import ExtractedRow
from scythe.templates.suggestions.suggestions import suggest
from scythe.templates.template.template import Template

PUT_ASIDE = ("chowdown-saathoff", "howtocook-zh")
KINDS = {"recipe": "recipe", "product": "product", "job": "job"}
"""The kind that a collection of a site is added with; others are found by `auto`."""
TRUTH_NAMES = {"directions": "instructions", "servings": "yield", "tags": "keywords"}
"""Names of the truth that are others of ours."""
RECIPE_FIELDS = (
    "title ingredients directions description prep_time cook_time total_time servings "
    "image author tags"
).split()
INITIAL_PAGES = 30
TIMES_LONGER = 3
MAX_HOLDING = 60
"""A value holds a true one if it is at most so many times as long, or so many
characters.
"""
_WORD = re.compile(r"[^\W_]+")


@dataclass
class Tally:
    """True values, those that a field holds, and those that the field of their name
    does.
    """

    true: int = 0
    right: int = 0
    named_true: int = 0
    named: int = 0
    by_field: dict[str, list[int]] = field(default_factory=dict)


def main() -> None:
    parser = arguments("What accepted suggestions alone give.")
    parser.add_argument("--sites", nargs="*", help="only these sites")
    parser.add_argument("--pages", type=int, default=40, help="record pages of a stage")
    parser.add_argument("--verbose", action="store_true", help="show fields")
    options = parser.parse_args()
    rows: list[list[object]] = []
    figures: dict[str, Any] = {}
    for folder in _sites(options.data):
        if options.sites and folder.name not in options.sites:
            continue
        stages = sorted(folder.glob("stage-*.truth.json"))
        for truth_path in (stages[0], stages[-1]):
            tally, accepted = measure(folder, truth_path, options.pages)
            stage = truth_path.name.split(".")[0]
            name = f"{folder.name} {stage}"
            rows.append(_row(name, tally, accepted))
            figures[name] = rows[-1][1:]
            if options.verbose:
                print(name, dict(accepted))
                print({key: tuple(value) for key, value in tally.by_field.items()})
    header = ["site and stage", "true values", "right", "of the same name", "fields"]
    report("suggestions", [table("Suggestions alone", header, rows)], figures)


def _row(name: str, tally: Tally, accepted: SlotFields) -> list[object]:
    fields = {given[0] for given in accepted.values()}
    return [
        name + (" (put aside)" if name.split()[0] in PUT_ASIDE else ""),
        tally.true,
        tally.right / max(tally.true, 1),
        tally.named / max(tally.named_true, 1),
        len(fields),
    ]


def _sites(data: Path) -> Iterator[Path]:
    for parent in (data / "recipes" / "sites", data / "collect"):
        for folder in sorted(parent.iterdir()):
            if (folder / "stage-1.truth.json").is_file():
                yield folder


def measure(folder: Path, truth_path: Path, most: int) -> tuple[Tally, SlotFields]:
    """Return what accepted suggestions give on a stage, and the suggestions."""
    truth = json.loads(truth_path.read_text("utf-8"))
    records = truth.get("records") or truth["recipes"]
    kind = KINDS.get(truth.get("kind", "recipe"), "auto")
    files = _files(
        truth_path.with_name(truth_path.name.replace("truth.json", "tar.xz"))
    )
    pages = []
    for number in evenly_spaced(range(len(records)), most):
        record = records[number]
        url = f"https://site.example{record['url']}"
        schema = None if kind == "auto" else known_kind(kind)
        body = files.get(unquote(record["url"]))
        if body is not None:
            pages.append((record, PageReading(body, url, None, schema), url))

    template = Template.induce([(p.tree, u) for _, p, u in pages[:INITIAL_PAGES]])
    for _, page, url in pages[INITIAL_PAGES:]:
        template.grow(page.view, url)
    examples = []
    for number, (_, page, url) in enumerate(pages):
        slots = page.slots(template.read(page.view))
        row = ExtractedRow(number, 0, 0, "", slots, page.declared())
        examples.append(ExtractedPage(row, url))
    plain_schema = collection_schema(kind, None)
    accepted = _accept(template, pages, examples, plain_schema, kind)
    schema_now = schema_with_fields(plain_schema, accepted)

    tally = Tally()
    for (record, _, _), example in zip(pages, examples, strict=True):
        values = slot_values(example.row, {})
        _count(tally, _true_fields(record), field_values(values, accepted, schema_now))
    return tally, accepted


def _files(path: Path) -> dict[str, bytes]:
    """Return the bytes of all pages of a stage by their path."""
    files: dict[str, bytes] = {}
    with tarfile.open(path) as archive:
        for member in archive:
            opened = archive.extractfile(member) if member.isfile() else None
            if opened is None:
                continue
            name = "/" + member.name.removeprefix("./")
            files[name] = opened.read()
            if name.endswith("/index.html"):
                files[name.removesuffix("index.html")] = files[name]
    return files


def _accept(
    template: Template,
    pages: Sequence[tuple[Any, PageReading, str]],
    examples: Sequence[ExtractedPage],
    schema: Any,
    kind: str,
) -> dict[str, tuple[str, str]]:
    """Return field and type by slot, as `Collection.accept_suggestions` gives them."""
    from_index: dict[int, Mapping[str, list[str]]] = {
        example.row.page_id: {} for example in examples
    }
    statistics = count_slots(examples, from_index)
    chosen = evenly_spaced(range(len(pages)), SUGGESTION_PAGES)
    trees = [(pages[number][1].tree, pages[number][2]) for number in chosen]
    known = None if kind == "auto" else known_kind(kind)
    suggestions = {
        collection_slot(0, found.slot): found
        for found in suggest(template, trees, known)
    }
    labels = {
        collection_slot(0, slot.id): slot.label
        for slot in template.all_slots
        if slot.label
    }
    kinds = {collection_slot(0, slot.id): slot.kind for slot in template.all_slots}
    slots = [
        CollectionSlot(
            found.slot,
            found.support,
            list(found.examples),
            labels.get(found.slot, ""),
            list(found.examples.values()),
            found.max_values,
            kind=kinds.get(found.slot, "text"),
            has_other_values=found.varies,
        )
        for found in sorted(
            statistics.values(), key=lambda found: (found.position, found.slot)
        )
    ]
    add_suggestions(slots, {}, schema, suggestions)
    return accepted_suggestions(slots, {})


def _true_fields(record: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the true values of a record that stand on its page."""
    hidden = record.get("not_visible") or record.get("not_on_page") or ()
    fields = record.get("fields")
    if fields is None:
        fields = {name: record.get(name) for name in RECIPE_FIELDS}
    true = {"title": [record["title"]]} if record.get("title") else {}
    for name, value in fields.items():
        values = value if isinstance(value, list) else [value]
        texts = [str(text) for text in values if text not in (None, "")]
        if texts and name not in hidden:
            true[name] = texts
    return true


def _count(
    tally: Tally,
    true: Mapping[str, Sequence[str]],
    found: Mapping[str, Sequence[str]],
) -> None:
    """Count which true values a record holds."""
    keys_of = {name: word_keys(values) for name, values in found.items()}
    everywhere = [key for keys in keys_of.values() for key in keys]
    for name, values in true.items():
        own = TRUTH_NAMES.get(name, name)
        for value in values:
            keys = word_keys(forms(value))
            is_right = any(holds(everywhere, key) for key in keys)
            tally.true += 1
            tally.right += is_right
            counts = tally.by_field.setdefault(name, [0, 0])
            counts[0] += is_right
            counts[1] += 1
            if own in keys_of:
                tally.named_true += 1
                tally.named += any(holds(keys_of[own], key) for key in keys)


def forms(value: str) -> list[str]:
    """Return a true value, and as a day where it is one: fields that are dates have
    the form of the database.
    """
    with suppress(Malformed):
        found = standardize_field([value], FieldRule("day", "date"))
        return [value, *map(str, found.values())]
    return [value]


def word_keys(values: Sequence[str]) -> list[str]:
    """Return values as words between spaces, in small letters."""
    keys = [" ".join(_WORD.findall(unquote(value).casefold())) for value in values]
    return [f" {key} " for key in keys if key]


def holds(keys: Sequence[str], true: str) -> bool:
    """Return whether a value is the true one, or holds its words among a few others."""
    most = max(TIMES_LONGER * len(true), MAX_HOLDING)
    return any(true in key and len(key) <= most for key in keys)


if __name__ == "__main__":
    main()
