"""One collection of every staged site over the stages of its life.

    python -m benchmarks.collect [DATA] [--sites NAME ...] [--stages N ...]
                                 [--by operator|suggestions] [--db URL]

Each stage is served on loopback (entity tags by content, 404 for what is not there,
without robots.txt) and the same collection is run against it, every page being due, as
stages are months to years apart. Any site of the layout will do; none is named in the
code.

With `--by operator` an automatic operator acts after stage 1 and where there are
notices: from the truth of that stage alone it says of records that are none that such
addresses are never to be followed (by a pattern where one has no true record, else one
by one), and names the slots that give each true field best, on pages of the stage; where
a field is only a part of what a slot holds, it says which by examples, as a person does
with `scythe collect name --example`. Of slots that give nearly the same it takes a
labelled or marked one rather than a part of running text. A slot that holds one field
is not taken for another. Names that have come to give less than others would are taken
back.
With `--by suggestions` nothing is named: suggestions are
accepted once, after stage 1.

Links: of the pages that the collection has as records after a run, how many are records
of the stage (precision); of the records that links lead to from the start page, how
many it has (recall). Fields: token F1 (words in small letters after NFKC; signs of
scripts without spaces are words) of every true field of every reachable record, the
mean; a record that is missing counts 0. With suggestions a true field is compared with
the field of the records that gives it best, and a day is right in the form of the
database, too. `right` is the share of true fields with an
F1 of 0.9 or more. Lost: reachable records without one. Doubled: records that are none,
or two of one. Wrong: records with a mean F1 below 0.5. Moves: records that kept their
history under a new address, of those that the truth says moved.

Sites that are not run keep the figures of their last run in the tables.

`requests` is what the server counted; `least` is one request for robots.txt, every
index page of the collection and every reachable record.
"""

from __future__ import annotations

import re
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from benchmarks.common import arguments, last_figures, report, table
from benchmarks.staged_sites import Server, Stage, StagedSite, sites
from benchmarks.suggestions import forms
from scythe.collect.collection import Collection
from scythe.collect.records.field_values import slot_values
from scythe.collect.records.schema import SchemaError, normalize_field_name
from scythe.collect.records.text_parts import (
    PartExample,
    TextPart,
    examples_by_page,
    learn_part,
)
from scythe.collect.steps.importer import record_url
from scythe.collect.views import RecordRow
from scythe.templates.slot import PART_SIGN, SlotId, SlotSource
from scythe.urls import url_key

HEADER = (
    "stage",
    "records",
    "reachable",
    "links P",
    "links R",
    "fields F1",
    "right",
    "lost",
    "doubled",
    "wrong",
    "moved",
    "index pages",
    "requests",
    "least",
    "acts",
    "s",
)
FIGURES = (
    "stage",
    "records",
    "reachable",
    "precision",
    "recall",
    "f1",
    "right",
    "lost",
    "doubled",
    "wrong",
    "moved",
    "index_pages",
    "requests",
    "least",
    "named",
    "seconds",
)
"""The keys of a stage's figures, in the order of the columns."""
OPERATOR, SUGGESTIONS = "operator", "suggestions"
PRESENT = ("ok", "draft", "review")
OPERATOR_PAGES = 60
"""Pages that the operator looks at, evenly spread."""
LEAST_PART_F1 = 0.8
"""How well a part of a slot must give a field to be named."""
LEAST_GAIN = 0.02
"""The mean gain by which a slot more is worth naming."""
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_]+")


def words(texts: Iterable[str]) -> Counter[str]:
    """Return the words of texts."""
    text = unicodedata.normalize("NFKC", " ".join(texts)).casefold()
    return Counter(_WORD.findall(text))


def token_f1(one: Counter[str], two: Counter[str]) -> float:
    """Return the F1 of the words that two texts share."""
    total = one.total() + two.total()
    return 2 * (one & two).total() / total if total else 1.0


def true_forms(texts: Sequence[str]) -> list[Counter[str]]:
    """Return the words of a true field, and where it is a day, those of the form that
    the database has.
    """
    first, *others = texts
    shown = words(texts)
    return [shown] if others else [shown, *(words([form]) for form in forms(first)[1:])]


def texts_of(value: Any) -> list[str]:
    """Return the texts of a field's value."""
    if isinstance(value, list):
        return [str(item) for item in value]
    return [str(value)] if value not in (None, "") else []


class Operator:
    """Names slots by the truth of one stage."""

    def __init__(self, collection: Collection, server: Server, stage: Stage) -> None:
        self._collection = collection
        self._true = {
            server.key(record.path): {
                name: words(values) for name, values in record.fields.items()
            }
            for record in stage.records
        }
        self._texts = {
            server.key(record.path): record.fields for record in stage.records
        }
        self._text_words = {
            server.key(record.path): {
                name: [words([value]) for value in values]
                for name, values in record.fields.items()
            }
            for record in stage.records
        }
        self._found: dict[str, dict[str, Counter[str]]] = {}
        self._values: dict[str, dict[str, Sequence[str]]] = {}
        context = collection._context
        pages = collection.extracted_pages(collection.extracted_page_ids())
        known = [page for page in pages if url_key(record_url(page)) in self._true]
        step = max(len(known) // OPERATOR_PAGES, 1)
        for page in known[::step]:
            listed = context.index_pages.records_of([page.url]).get(page.url, [])
            values = slot_values(page.row, _index_values(listed))
            key = url_key(record_url(page))
            self._values[key] = values
            self._found[key] = {slot: words(texts) for slot, texts in values.items()}

    def exclude_wrong(self, true_keys: set[str]) -> int:
        """Say of records that are none that they are never expected; return how many
        rules that took.
        """
        right: set[str] = set()
        wrong: dict[str, list[str]] = {}
        for record in self._collection.records(*PRESENT):
            pattern = _address_pattern(record.url)
            if record.key in true_keys:
                right.add(pattern)
            else:
                wrong.setdefault(pattern, []).append(record.url)
        rules = 0
        for pattern, urls in wrong.items():
            if pattern and pattern not in right and len(urls) > 1:
                self._collection.add_link_rule("never", pattern, "pattern")
                rules += 1
                continue
            for url in urls:
                self._collection.add_link_rule("never", url)
                rules += 1
        return rules

    def name_all(self) -> int:
        """Name the slots of every true field; return how many were named."""
        named = 0
        fields: Counter[str] = Counter()
        for key in self._found:
            fields.update(self._true[key].keys())
        for field in fields:
            named += self._name(field)
        self._collection.dismiss_suggestions()
        self._collection.dismiss_notices(self._collection.notices())
        return named

    def _name(self, field: str) -> int:
        """Name the slots of a field, and take back names that have come to give less
        than others would; return how many acts that took.
        """
        name = field_name(self._collection, field)
        names = self._collection.annotation.names
        self._add_parts(field, names)
        given = [slot for slot, field_ in names.items() if field_[0] == name]
        slots, mean = self._best_slots(field, given)
        anew, mean_anew = self._best_slots(field, [])
        acts = 0
        if given and mean_anew >= mean + LEAST_GAIN:
            slots = [slot for slot in anew if slot not in given]
            for slot in given:
                if slot not in anew:
                    self._collection.unname_slot(slot)
                    acts += 1
        for slot in slots:
            try:
                self._collection.name_slot(slot, name, "lines")
            except SchemaError:
                continue
            acts += 1
        return acts

    def _examples(self, field: str, slot: str) -> list[PartExample]:
        """Return what the slot has on each page and what of it is of the field."""
        values: dict[str, Sequence[str]] = {}
        expected: dict[str, Sequence[str]] = {}
        for key, found in self._found.items():
            own = found.get(slot)
            if own is None:
                continue
            texts = self._texts[key].get(field, ())
            texts_words = self._text_words[key].get(field, ())
            pairs = zip(texts, texts_words, strict=True)
            held = [text for text, its_words in pairs if its_words <= own]
            if held:
                values[key] = self._values[key][slot]
                expected[key] = held
        return examples_by_page(values, expected)

    def _best_slots(self, field: str, chosen: Sequence[str]) -> tuple[list[str], float]:
        """Return the slots to add to those that have the field, one at a time, as long
        as each makes the mean better; and the mean.
        """
        name = field_name(self._collection, field)
        names = self._collection.annotation.names
        taken = {slot for slot, given in names.items() if given[0] != name}
        have: dict[str, Counter[str]] = {}
        for key, found in self._found.items():
            if field in self._true[key]:
                have[key] = _joined(found, chosen)
        added: list[str] = []
        while True:
            gains: dict[str, float] = {}
            before = {key: self._score(key, field, now) for key, now in have.items()}
            for key, now in have.items():
                for slot, values in self._found[key].items():
                    if slot not in taken and slot not in (*chosen, *added):
                        gain = self._score(key, field, now + values) - before[key]
                        gains[slot] = gains.get(slot, 0.0) + gain
            best = max(gains, key=lambda slot: _rank(slot, gains, have), default=None)
            if best is None or gains[best] < LEAST_GAIN * len(have):
                return added, sum(before.values()) / max(len(before), 1)
            added.append(best)
            for key in have:
                have[key] = have[key] + self._found[key].get(best, Counter())

    def _score(self, key: str, field: str, found: Counter[str]) -> float:
        return token_f1(found, self._true[key][field]) if found else 0.0

    def _add_parts(self, field: str, names: Mapping[str, Any]) -> None:
        """Add the parts of slots that give a field better than the whole of each does,
        as slots of their own, and those that are named already.
        """
        pages = [key for key in self._found if field in self._texts[key]]
        slots: Counter[str] = Counter()
        for key in pages:
            slots.update(self._values[key].keys())
        parts = [slot for slot in names if SlotId.parse(slot).part]
        for slot, count in slots.items():
            if count * 2 < len(pages):
                continue
            pattern, score = learn_part(self._examples(field, slot))
            if slot in names and not pattern:
                pattern = "{+}"
            if pattern and score >= LEAST_PART_F1:
                parts.append(f"{slot}{PART_SIGN}{pattern}")
        for part in dict.fromkeys(parts):
            slot_id = SlotId.parse(part)
            for key, values in self._values.items():
                if values.get(slot_id.whole):
                    texts = TextPart.parse(slot_id.part).of(values[slot_id.whole])
                    self._found[key][part] = words(texts)


def _rank(
    slot: str, gains: Mapping[str, float], have: Mapping[str, Any]
) -> tuple[int, int, float, str]:
    """Return how willingly a person names a slot: by what it gives, but of slots that
    give nearly the same rather a labelled or marked one than a part of running text.
    """
    steps = round(gains[slot] / len(have) / LEAST_GAIN)
    slot_id = SlotId.parse(slot)
    is_plain = slot_id.source is not SlotSource.TEXT
    return steps, is_plain + (not slot_id.part), gains[slot], slot


def _address_pattern(url: str) -> str:
    """Return a pattern for addresses like one: its folder and how it ends, or the last
    part where that is what several pages of one thing are told apart by.
    """
    path = unquote(urlsplit(url).path)
    folder, _, last = path.rstrip("/").rpartition("/")
    suffix = re.search(r"[-_][^-_]+$", last)
    if suffix:
        return f"{folder}/*{suffix[0]}"
    parent, _, _ = folder.rpartition("/")
    return f"{parent}/*/{last}" if parent else ""


def _joined(found: Mapping[str, Counter[str]], slots: Sequence[str]) -> Counter[str]:
    joined: Counter[str] = Counter()
    for slot in slots:
        joined += found.get(slot, Counter())
    return joined


def _index_values(listed: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    merged: dict[str, list[str]] = {}
    for fields in listed:
        for name, value in fields.items():
            merged.setdefault(name, texts_of(value))
    return merged


def field_name(collection: Collection, true_name: str) -> str:
    """Return what the collection calls a true field: the word of its schema, if it has
    one for it.
    """
    synonyms = {"directions": "instructions"}
    name = synonyms.get(true_name, true_name)
    own = {rule.name for rule in collection._context.plain_schema.rules}
    return name if name in own else normalize_field_name(name)


def best_fields(
    records: Mapping[str, RecordRow], stage: Stage, server: Server
) -> dict[str, str]:
    """Return for each true field the field of the records that has its values best."""
    scores: dict[str, Counter[str]] = {}
    for record in stage.records:
        found = records.get(server.key(record.path))
        if found is None or found.fields is None:
            continue
        values = {name: words(texts_of(v)) for name, v in found.fields.items()}
        for name, texts in record.fields.items():
            true = true_forms(texts)
            for field, have in values.items():
                by_field = scores.setdefault(name, Counter())
                by_field[field] += max(token_f1(have, form) for form in true)  # type: ignore[assignment]
    return {name: max(by, key=lambda field: by[field]) for name, by in scores.items()}


def measure_stage(
    collection: Collection, server: Server, stage: Stage, by: str, *, first: bool
) -> dict[str, Any]:
    """Run the collection against the stage that is served, let the operator act, and
    measure.
    """
    server.asked.clear()
    began = time.process_time()
    collection.run(refetch_all=True)
    seconds = time.process_time() - began
    named = 0
    if by == OPERATOR and (first or collection.notices()):
        operator = Operator(collection, server, stage)
        true_keys = {server.key(record.path) for record in stage.records}
        named = operator.exclude_wrong(true_keys) + operator.name_all()
    elif by == SUGGESTIONS and first:
        named = len(collection.accept_suggestions())
        if not named:
            collection.dismiss_suggestions()

    records = {record.key: record for record in collection.records(*PRESENT)}
    true = {server.key(record.path): record for record in stage.records}
    starts = [url.removeprefix(server.url) for url in collection.start_pages()]
    prefix = url_key("http://site/").rstrip("/")
    own = url_key(server.url + "/").rstrip("/")
    linked = {key.replace(prefix, own, 1) for key in stage.reachable(starts)}
    reachable = {key for key in true if key in linked}

    names = {name: field_name(collection, name) for name in _true_fields(stage)}
    if by == SUGGESTIONS:
        names = {**names, **best_fields(records, stage, server)}
    scores: list[float] = []
    wrong = 0
    for key in reachable:
        record = records.get(key)
        values = dict(record.fields or record.pending or {}) if record else {}
        own_scores = []
        for name, texts in true[key].fields.items():
            found = texts_of(values.get(names[name]))
            score = max(token_f1(words(found), form) for form in true_forms(texts))
            own_scores.append(score if found else 0.0)
        scores += own_scores
        is_low = sum(own_scores) < 0.5 * len(own_scores)
        wrong += record is not None and is_low
    moves = [(server.key(old), server.key(new)) for old, new in stage.moves]
    kept = sum(
        new in records and url_key(records[new].moved_from or "") == old
        for old, new in moves
    )
    index_pages = sum(page.gone_at is None for page in collection.index_pages())
    return {
        "records": len(true),
        "reachable": len(reachable),
        "precision": len(records.keys() & true.keys()) / max(len(records), 1),
        "recall": len(reachable & records.keys()) / max(len(reachable), 1),
        "f1": sum(scores) / max(len(scores), 1),
        "right": sum(score >= 0.9 for score in scores) / max(len(scores), 1),
        "lost": len(reachable - records.keys()),
        "doubled": len(records.keys() - true.keys()),
        "wrong": wrong,
        "moved": f"{kept} of {len(moves)}",
        "index_pages": index_pages,
        "requests": server.asked.total(),
        "least": 1 + index_pages + len(reachable),
        "named": named,
        "seconds": seconds,
    }


def _true_fields(stage: Stage) -> list[str]:
    names: dict[str, None] = {}
    for record in stage.records:
        names.update(dict.fromkeys(record.fields))
    return list(names)


def measure_site(
    site: StagedSite, stages: Sequence[int], by: str, database: str
) -> list[dict[str, Any]]:
    """Return the figures of a site, stage by stage."""
    server = Server()
    figures = []
    first_stage = site.stage(stages[0])
    name = f"{site.name}-{by}"
    with Collection.add(
        f"{server.url}/", name, first_stage.kind, db=database, render=False
    ) as collection:
        for number in stages:
            stage = site.stage(number)
            server.stage = stage
            measured = measure_stage(
                collection, server, stage, by, first=number == stages[0]
            )
            figures.append({"stage": number, **measured})
            print(site.name, by, figures[-1], flush=True)
    server.close()
    return figures


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--sites", nargs="+", help="names of sites, by default all")
    parser.add_argument("--stages", type=int, nargs="+", help="by default all")
    parser.add_argument(
        "--by", nargs="+", choices=(OPERATOR, SUGGESTIONS), default=[OPERATOR]
    )
    parser.add_argument(
        "--db",
        help="the database to use, by default an SQLite file that is thrown away",
    )
    given = parser.parse_args()
    results = last_figures("collect")
    for site in sites(given.data):
        if given.sites and site.name not in given.sites:
            continue
        for by in given.by:
            with tempfile.TemporaryDirectory() as folder:
                database = given.db or f"sqlite:///{Path(folder) / 'collect.db'}"
                figures = measure_site(site, given.stages or site.numbers, by, database)
            results[f"{site.name}/{by}"] = figures
    tables = [_stage_table(name, results[name]) for name in sorted(results)]
    report("collect", tables, results)


def _stage_table(name: str, figures: Sequence[Mapping[str, Any]]) -> str:
    site, by = name.split("/")
    rows = [[_shown(row[key]) for key in FIGURES] for row in figures]
    return table(f"{site}, by {by}", HEADER, rows)


def _shown(value: object) -> object:
    return f"{value:.3f}" if isinstance(value, float) else value


if __name__ == "__main__":
    main()
