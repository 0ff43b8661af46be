"""Interactive annotation: what operators say about slots, seen before it is done, kept with its history, and never overridden.

A change is stored; then the records follow, in their values alone: which records there are, which
are gone and which moved is for runs to find out. Whatever ends in between, the next run, or the web
app when it starts, brings the records in step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from scythe.collect.exporting import publish
from scythe.collect.filtering import Preprocessed, preprocess
from scythe.collect.importing import correct_records
from scythe.collect.naming import Names, named_values, values_of, with_names
from scythe.collect.schema import TYPES, field_name
from scythe.collect.survey import index_values
from scythe.collect.work import Work
from scythe.errors import UsageError
from scythe.store.annotations import AnnotationRow
from scythe.store.examples import ExamplePage, ExampleRows, spread
from scythe.store.holders import has_ended, this_process

NAME, SPLIT, IGNORE, NOTICE, ACCEPT = "name", "split", "ignore", "notice", "accept"
"""What can be said. Several slots under one name are merged; `split` takes a slot's name away, and so out of a merged field;
`notice` takes `ignore` back; `accept` gives several names at once."""

PREVIEWED = 200
"""Pages whose records a preview makes, before and after."""
SHOWN = 5
"""Records that a preview shows."""
_MOST_SLOTS = 200
_PARSED = "_parsed"
"""What ends the name of a column that says the same as another, in parts."""
HELD = 3600.0
"""Seconds that a collection is held while its records follow; a process that is gone before is known to be."""
_CORRECTING = Lock()
"""Requests of one server share a process, and so the hold of a collection: here they wait for each other."""


@dataclass(frozen=True)
class Change:
    """Something that an operator wants to say."""

    what: str
    slots: tuple[str, ...]
    name: str = ""
    type: str = ""
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """With `accept`: field and type by slot."""

    def __post_init__(self) -> None:
        if self.what not in (NAME, SPLIT, IGNORE, NOTICE, ACCEPT):
            raise UsageError(f"Attributes can be given a name, split, ignored or noticed, not {self.what!r}.")
        if not self.slots or len(self.slots) > _MOST_SLOTS:
            raise UsageError(f"Choose at least one attribute, and {_MOST_SLOTS} at most.")
        if self.type and self.type not in TYPES:
            raise UsageError(f"There is no type {self.type}. There are: {', '.join(TYPES)}.")


def changed(words: AnnotationRow, change: Change, order: Iterable[str] = ()) -> AnnotationRow:
    """The words after a change. `order` has slots in the order of the page, in which those of one field are put together."""
    names = {slot: (said[0], said[1] if len(said) > 1 else "") for slot, said in words.names.items()}
    ignored = dict.fromkeys(words.ignored)
    for slot in change.slots:
        if change.what == NOTICE:
            ignored.pop(slot, None)
            continue
        names.pop(slot, None)
        ignored.pop(slot, None)
        if change.what == IGNORE:
            ignored[slot] = None
    if change.what == NAME:
        name = field_name(change.name)
        type_ = change.type or next((kind for known, kind in names.values() if known == name), "")
        names.update({slot: (known, type_ if known == name else kind) for slot, (known, kind) in names.items()})
        names.update(dict.fromkeys(change.slots, (name, type_)))
    elif change.what == ACCEPT:
        names.update({slot: (field_name(name), kind) for slot, (name, kind) in change.names.items()})
    places = {slot: place for place, slot in enumerate(order)}
    ordered = sorted(names.items(), key=lambda item: places.get(item[0], len(places)))
    return AnnotationRow(words.version, sentence(change), {slot: list(said) for slot, said in ordered}, list(ignored))


def sentence(change: Change) -> str:
    """A change in words."""
    slots = " and ".join(called(slot) for slot in change.slots[:3]) + (" and others" if len(change.slots) > 3 else "")
    if change.what == NAME:
        kind = f" ({change.type})" if change.type else ""
        return f"{slots} {'are' if len(change.slots) > 1 else 'is'} {field_name(change.name)}{kind}"
    if change.what == ACCEPT:
        return f"proposals taken: {', '.join(dict.fromkeys(name for name, _ in change.names.values()))}"
    return {
        SPLIT: f"{slots} without a name",
        IGNORE: f"{slots} of no interest",
        NOTICE: f"{slots} of interest again",
    }[change.what]


def called(slot: str) -> str:
    """A slot as people say it."""
    kind, _, rest = slot.partition(":")
    if kind == "section":
        return f'the section "{rest}"'
    if kind == "declared":
        return f"the declared {rest}"
    return f"the index page's {rest}" if kind == "index" else f"place {rest}"


def say(work: Work, change: Change, expected: int | None = None, order: Iterable[str] = ()) -> int:
    """Store a change; gives the new version. Notices about its slots are done with.

    Raises `Conflict` where the latest version is not the `expected` one.
    """
    words = work.annotations.latest()
    after = changed(words, change, order)
    with_names(work.plain_schema, after.names)  # a name or a type that makes no schema is refused before it is said
    seen = words.version if expected is None else expected
    version = work.annotations.say(after.what, after.names, after.ignored, seen)
    work.runs.settle([notice.id for notice in work.runs.notices() if notice.data.get("slot") in change.slots])
    return version


def is_finished(work: Work) -> bool:
    """Whether all records show what was said last."""
    words = work.annotations.latest()
    return words.version == 0 or words.imported_at is not None


def finish(work: Work) -> bool:
    """Bring all records in step with what was said; False where another process works on the collection, which will do it."""
    with _CORRECTING:
        if is_finished(work):
            return True
        holder = this_process()
        if not work.collections.hold(work.row.id, holder, HELD, has_ended):
            return False
        try:
            _correct_all(work)
        finally:
            work.collections.release(work.row.id, holder)
        return True


def _correct_all(work: Work) -> None:
    """Correct all records until nothing was said meanwhile; a kill leaves the rest to be done."""
    while not is_finished(work):
        version = work.annotations.latest().version
        correct_records(work)
        work.annotations.imported(version)
    publish(work.store, work.row, work.schema)


@dataclass(frozen=True)
class Difference:
    """A record as it is and as it would be, only where these differ."""

    url: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True)
class Preview:
    """What a change would do to records."""

    what: str
    looked: int
    """Pages that were looked at, evenly spread over `total`."""
    total: int
    changed: int
    """Records that would change."""
    fields: Mapping[str, tuple[int, int]]
    """For each field that changes, how many records have it before and after."""
    doubts: tuple[int, int]
    """Records in review before and after."""
    differences: Sequence[Difference]


def preview(work: Work, change: Change, order: Sequence[str] = ()) -> Preview:
    """What the records of all pages that have the slots would be after a change; nothing is stored."""
    words = work.annotations.latest()
    after = changed(words, change, order)
    rows = ExampleRows(work.store, work.row.id)
    clusters = {slot.partition(":")[0] for slot in change.slots}
    own = int(next(iter(clusters))) if len(clusters) == 1 and next(iter(clusters)).isdigit() else None
    pages = rows.ids(own)
    examples = rows.read(spread(pages, PREVIEWED))
    old, new = _records(work, examples, words.names), _records(work, examples, after.names)
    differences = []
    fields: dict[str, tuple[int, int]] = {}
    for example, was, will in zip(examples, old, new, strict=True):
        other = [name for name in {**was.fields, **will.fields} if was.fields.get(name) != will.fields.get(name)]
        other = [name for name in other if name.removesuffix(_PARSED) not in other or not name.endswith(_PARSED)]
        if other:
            differences.append(
                Difference(example.url, *({name: each.fields.get(name) for name in other} for each in (was, will)))
            )
            fields.update(dict.fromkeys(other, (0, 0)))
    for name in fields:
        fields[name] = (sum(name in each.fields for each in old), sum(name in each.fields for each in new))
    doubts = (sum(not each.ok for each in old), sum(not each.ok for each in new))
    return Preview(after.what, len(examples), len(pages), len(differences), fields, doubts, differences[:SHOWN])


def _records(work: Work, examples: Sequence[ExamplePage], names: Names) -> list[Preprocessed]:
    schema = with_names(work.plain_schema, names)
    said = index_values(work, examples)
    return [
        preprocess(named_values(values_of(example.row, said[example.row.page_id]), names, schema), schema, example.url)
        for example in examples
    ]
