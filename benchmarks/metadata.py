"""How often title, authors and date agree with the truth, for Scythe and trafilatura in
the same run.

    python -m benchmarks.metadata [DATA]

Two sets. The rules were written with the errors on wcxb in view, so its figures are not
held out; the halves of its domains show how much they vary, no more. On the recipe
pages nothing was tuned but one thing: bylines that begin "Verfasst von" and the like
were added after a look at them (author 169 to 170); their titles and images were not
looked into for any change.

A title agrees if its letters and digits do; authors if the sets of names do; dates if
they are equal. The table splits the pages that have a truth into agree, wrong and
missing; `extra` counts answers on pages without one.
"""

from __future__ import annotations

import gzip
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from trafilatura import extract_metadata

from benchmarks.common import arguments, report, require, table
from scythe.content.metadata import read_metadata
from scythe.tree import parse

SETS = {
    "wcxb": ("content/wcxb", ("title", "author", "date")),
    "recipes": ("recipes/pages", ("title", "author", "image")),
}
OUTCOMES = ("agree", "wrong", "missing", "extra")
HEADER = ("set", "field", "extractor", "rate", *OUTCOMES)
_NAME_BORDER = re.compile(r"\s*;\s*|\s*,\s*(?:and\s+)?|\s+(?:&|and)\s+")

Answer = dict[str, str | None]


def scythe(html: bytes, url: str | None) -> Answer:
    found = read_metadata(parse(html), url)
    return {
        "title": found.title,
        "author": found.author,
        "date": found.published or found.modified,
        "image": found.image,
    }


def trafilatura(html: bytes, url: str | None) -> Answer:
    try:
        found = extract_metadata(html, default_url=url)
    except Exception:  # its failures are missing answers here
        return {}
    return {
        "title": found.title,
        "author": found.author,
        "date": found.date,
        "image": found.image,
    }


EXTRACTORS: dict[str, Callable[[bytes, str | None], Answer]] = {
    "scythe": scythe,
    "trafilatura": trafilatura,
}


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def names(text: str) -> frozenset[str]:
    return frozenset(filter(None, map(letters, _NAME_BORDER.split(text))))


def file_name(address: str) -> str:
    """Return the file name of an image: sites serve one image from several hosts and in
    several sizes given by the query.
    """
    return address.partition("?")[0].rpartition("/")[2]


COMPARE: dict[str, Callable[[str], object]] = {
    "title": letters,
    "author": names,
    "date": str,
    "image": file_name,
}


def outcome(field: str, answer: str | None, truth: str | None) -> str:
    if not truth:
        return "extra" if answer else "none"
    if not answer:
        return "missing"
    return "agree" if COMPARE[field](answer) == COMPARE[field](truth) else "wrong"


def pages(folder: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    for path in sorted((require(folder) / "truth").glob("*.json")):
        yield (
            gzip.decompress((folder / "html" / f"{path.stem}.html.gz").read_bytes()),
            json.loads(path.read_text("utf-8")),
        )


def measure(
    data: Path,
) -> tuple[dict[tuple[str, str, str], Counter[str]], dict[str, float]]:
    """Return the outcomes by set, field and extractor, and each extractor's CPU
    milliseconds per page, parsing included.
    """
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    spent: dict[str, float] = defaultdict(float)
    total = 0
    for name, (folder, fields) in SETS.items():
        for html, truth in pages(data / folder):
            total += 1
            half = f"{name}, half {sum(map(ord, truth.get('domain') or '')) % 2 + 1}"
            for extractor, extract in EXTRACTORS.items():
                start = time.process_time()
                answer = extract(html, truth.get("url"))
                spent[extractor] += time.process_time() - start
                for field in fields:
                    result = outcome(field, answer.get(field), truth.get(field))
                    counts[name, field, extractor][result] += 1
                    if name == "wcxb":
                        counts[half, field, extractor][result] += 1
    return counts, {
        extractor: 1000 * seconds / max(total, 1)
        for extractor, seconds in spent.items()
    }


def main() -> None:
    counts, milliseconds = measure(arguments(str(__doc__)).parse_args().data)
    rows = []
    for (name, field, extractor), found in sorted(counts.items()):
        with_truth = found["agree"] + found["wrong"] + found["missing"]
        rows.append(
            [
                name,
                field,
                extractor,
                found["agree"] / max(with_truth, 1),
                *(found[result] for result in OUTCOMES),
            ]
        )
    quality = table("Metadata: agreement with the truth", HEADER, rows)
    speed = table(
        "CPU milliseconds a page, parsing included",
        ("extractor", "ms"),
        sorted(milliseconds.items()),
    )
    figures = [dict(zip(HEADER, row, strict=True)) for row in rows]
    report(
        "metadata",
        [quality, speed],
        {"agreement": figures, "milliseconds": milliseconds},
    )


if __name__ == "__main__":
    main()
