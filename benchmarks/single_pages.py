"""Typed records of single pages: what `scythe.read_page` reads from what pages show,
beside what they declare.

    python -m benchmarks.single_pages [DATA]

*Declared data hidden*: pages that declare a product with a price are read by what they
show alone, and compared with what they declare. *Sites with truth*: pages of one
template each, with the share of true values that are read with no training on the site.
*Kinds*: what `kind="auto"` takes pages of wcxb for. A third of the domains of the first
table, by the hash of their names, was put aside while rules were written.
"""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from benchmarks.common import (
    Page,
    arguments,
    content_pages,
    is_put_aside,
    map_pages,
    report,
    require,
    sampled,
    table,
)
from scythe.content.metadata.dates import parse_date
from scythe.templates.declared.record import declared_record
from scythe.templates.declared.schemas import PRODUCT
from scythe.templates.page_records import KINDS, read_page
from scythe.templates.visible.fields import visible_fields
from scythe.templates.visible.money import plain_amount
from scythe.templates.visible.page import VisiblePage
from scythe.templates.visible.price import price_candidates
from scythe.tree import parse
from scythe.tree.text import letters_and_digits

PRODUCT_FIELDS = (
    "price",
    "currency",
    "rating",
    "reviews",
    "availability",
    "brand",
    "sku",
    "gtin",
)
MAX_RATING_DIFFERENCE = 0.06
"""Pages round what they declare to one decimal, bars of stars to a pixel."""
SAMPLED_PAGES = 500
"""Pages of wcxb whose kind is looked at; reading all 1,497 takes as long as all the rest."""
SPLITS = {False: "rules were written on", True: "put aside"}


class SiteTruth(NamedTuple):
    """A site with true values: its kind and which true field is which of ours."""

    kind: str
    fields: Mapping[str, str]
    is_looked_at: bool = True
    """Whether its pages were looked at while the rules were written."""


SWDE_SITES = {
    "auto-kbb": SiteTruth("product", {"price": "price", "model": "title"}),
    "book-barnesandnoble": SiteTruth(
        "product",
        {
            "title": "title",
            "author": "author",
            "isbn_13": "gtin",
            "publisher": "publisher",
            "publication_date": "released",
        },
    ),
    "job-monster": SiteTruth(
        "job",
        {"title": "title", "company": "company", "location": "location"},
    ),
}
COLLECTED_SITES = {
    "pythonjobs": SiteTruth(
        "job",
        {
            "title": "title",
            "company": "company",
            "location": "location",
            "contract": "employment",
            "posted": "published",
        },
    ),
    "lineage-wiki": SiteTruth(
        "product",
        {
            "title": "title",
            "soc": "properties",
            "ram": "properties",
            "gpu": "properties",
            "storage": "properties",
            "bluetooth": "properties",
            "wifi": "properties",
        },
    ),
    "jekyllthemes": SiteTruth(
        "product", {"title": "title", "author": "author"}, is_looked_at=False
    ),
}


@dataclass(frozen=True, slots=True)
class TruePage:
    """A page of a site with truth: true values by our field and theirs."""

    html: bytes
    url: str
    truth: Mapping[tuple[str, str], list[str]]


def domain_of(url: str, name: str) -> str:
    host = urlsplit(url).hostname or name
    return ".".join(host.removeprefix("www.").split(".")[-2:])


def declared_pages(data: Path) -> Iterator[Page]:
    """Yield the pages that may declare a product: product pages of wcxb, and the pages
    with forms, of which no type is known.
    """
    for page in content_pages(data, "wcxb"):
        if page.truth["page_type"] == "product":
            yield page
    folder = require(data / "forms")
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    for path in sorted((folder / "html").iterdir()):
        name = path.name.partition(".")[0]
        body = path.read_bytes()
        html = gzip.decompress(body) if path.suffix == ".gz" else body
        yield Page(name, html, {"url": truth.get(name, {}).get("url", "")})


def compare_with_declared(page: Page) -> tuple[bool, dict[str, list[int]]] | None:
    """Return for each field that a page declares whether its value is shown, found and
    right; None where it declares no price.
    """
    url = str(page.truth.get("url") or "")
    tree = parse(page.html)
    declared = declared_record(tree, PRODUCT)
    if declared is None or not declared.complete:
        return None

    visible = VisiblePage(tree, url)
    shown = {_number(candidate.money.amount) for candidate in price_candidates(visible)}
    found = visible_fields(visible, PRODUCT)
    scores: dict[str, list[int]] = {}
    for name in PRODUCT_FIELDS:
        if name not in declared.values:
            continue
        truth = declared.values[name][0]
        texts, _ = found.get(name, ([], ""))
        is_right = bool(texts) and is_same_value(name, texts[0], truth)
        is_shown = name != "price" or _number(plain_amount(truth)) in shown
        scores[name] = [1, int(is_shown), int(bool(texts)), int(is_right)]
    return is_put_aside(domain_of(url, page.name)), scores


def is_same_value(name: str, value: str, truth: str) -> bool:
    """Return whether a value that a page shows is the one that it declares."""
    if name in ("price", "rating", "reviews"):
        number, true_number = _number(plain_amount(value)), _number(plain_amount(truth))
        if name == "rating":
            number, true_number = _number(value), _number(truth)
        if number is None or true_number is None:
            return False
        allowed = MAX_RATING_DIFFERENCE if name == "rating" else 0.0
        return abs(number - true_number) <= allowed
    true_key = letters_and_digits(truth)
    if name == "availability":
        true_key = {"outstock": "outofstock"}.get(true_key, true_key)
    return letters_and_digits(value) == true_key


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def hidden_rows(pages: Sequence[Page]) -> list[list[Any]]:
    """Return a row for each field and part of the domains."""
    totals: dict[tuple[str, bool], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for result in map_pages(compare_with_declared, pages):
        if result is None:
            continue
        aside, scores = result
        for name, counts in scores.items():
            sums = totals[name, aside]
            totals[name, aside] = [a + b for a, b in zip(sums, counts, strict=True)]
    rows: list[list[Any]] = []
    for name in PRODUCT_FIELDS:
        for aside, label in SPLITS.items():
            declared, shown, found, right = totals[name, aside]
            shown_cell = shown if name == "price" else ""
            precision = right / found if found else 0.0
            recall = right / declared if declared else 0.0
            rows.append(
                [name, label, declared, shown_cell, found, right, precision, recall]
            )
    return rows


def swde_pages(data: Path, site: str, truth: SiteTruth) -> Iterator[TruePage]:
    folder = require(data / "templates" / "swde" / site)
    entries = json.loads((folder / "truth.json").read_text("utf-8"))
    for name, values in sorted(entries.items()):
        html = gzip.decompress((folder / f"{name}.html.gz").read_bytes())
        true_values = {
            (ours, theirs): values[theirs]
            for theirs, ours in truth.fields.items()
            if values.get(theirs)
        }
        yield TruePage(html, values["_url"], true_values)


def collected_pages(data: Path, site: str, truth: SiteTruth) -> Iterator[TruePage]:
    """Yield the record pages of a site's first stage."""
    folder = require(data / "collect" / site)
    stage = json.loads((folder / "stage-1.truth.json").read_text("utf-8"))
    pages: dict[str, bytes] = {}
    archive = (folder / "stage-1.tar.xz").read_bytes()
    with tarfile.open(fileobj=io.BytesIO(archive)) as content:
        for member in content.getmembers():
            if member.isfile() and (file := content.extractfile(member)):
                path = "/" + member.name.removeprefix("./")
                pages[path] = pages[path.removesuffix("index.html")] = file.read()
    for record in stage["records"]:
        if record["url"] not in pages:
            continue
        values = {"title": [record["title"]], **record["fields"]}
        true_values = {
            (ours, theirs): values[theirs]
            for theirs, ours in truth.fields.items()
            if values.get(theirs)
        }
        yield TruePage(
            pages[record["url"]], f"https://{site}.example{record['url']}", true_values
        )


def site_rows(data: Path) -> list[list[Any]]:
    """Return a row for each field of each site with truth."""
    rows: list[list[Any]] = []
    sites = [(name, truth, swde_pages) for name, truth in SWDE_SITES.items()]
    sites += [(name, truth, collected_pages) for name, truth in COLLECTED_SITES.items()]
    for site, truth, load in sites:
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for page in load(data, site, truth):
            record = read_page(page.html, page.url, truth.kind)
            declared = declared_record(parse(page.html), KINDS[truth.kind])
            for (ours, theirs), values in page.truth.items():
                count = counts[ours, theirs]
                count["pages"] += 1
                read = record.values.get(ours, [])
                count["right"] += is_true(read, values)
                said = declared.values.get(ours, []) if declared else []
                count["declared"] += is_true(said, values)
        looked_at = "yes" if truth.is_looked_at else "no"
        for (ours, theirs), count in counts.items():
            field = ours if ours == theirs else f"{theirs} as {ours}"
            number = count["pages"]
            rows.append(
                [
                    site,
                    looked_at,
                    field,
                    number,
                    count["right"] / number,
                    count["declared"] / number,
                ]
            )
    return rows


def is_true(read: Sequence[str], truth: Sequence[str]) -> bool:
    """Return whether a value that was read is a true one: the same amount, date, or
    letters and digits.

    Labels before a colon do not count: some true values have one, and properties are
    read with theirs.
    """
    true_keys = {_key(value) for value in truth}
    return any(_key(text) in true_keys for text in read)


def _key(value: str) -> str | float:
    unlabelled = value.rpartition(": ")[2]
    amount = unlabelled.replace(",", "").removeprefix("$")
    number = _number(amount)
    if number is not None:
        return number
    return parse_date(unlabelled) or letters_and_digits(unlabelled)


def found_kind(page: Page) -> tuple[str, str]:
    """Return the type of a page and the kind that it is taken for."""
    record = read_page(page.html, str(page.truth["url"]))
    return str(page.truth["page_type"]), record.kind


def kind_rows(pages: Sequence[Page]) -> list[list[Any]]:
    """Return for each page type of wcxb the share of pages taken for each kind."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for page_type, kind in map_pages(found_kind, pages):
        counts[page_type][kind] += 1
    rows: list[list[Any]] = []
    for page_type, found in sorted(counts.items()):
        number = found.total()
        shares = [found[schema.name] / number for schema in KINDS.values()]
        rows.append([page_type, number, *shares])
    return rows


def main() -> None:
    data = arguments(str(__doc__)).parse_args().data
    hidden_header = ["field", "domains", "declared", "shown", "found", "right"]
    hidden_header += ["precision", "recall"]
    site_header = ["site", "looked at", "field", "pages", "read", "declared alone"]
    kind_header = ["page type", "pages", *KINDS]

    hidden = hidden_rows(list(declared_pages(data)))
    sites = site_rows(data)
    kinds = kind_rows(list(sampled(content_pages(data, "wcxb"), SAMPLED_PAGES)))
    tables = [
        table(
            "Products read from what pages show, declared data hidden",
            hidden_header,
            hidden,
        ),
        table("Sites with truth: share of pages read rightly", site_header, sites),
        table("The kind that pages of wcxb are taken for", kind_header, kinds),
    ]
    figures = {
        "hidden": [dict(zip(hidden_header, row, strict=True)) for row in hidden],
        "sites": [dict(zip(site_header, row, strict=True)) for row in sites],
        "kinds": [dict(zip(kind_header, row, strict=True)) for row in kinds],
    }
    report("single_pages", tables, figures)


if __name__ == "__main__":
    main()
