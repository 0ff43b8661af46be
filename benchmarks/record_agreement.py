"""Wrappers, templates and typed records with and without the compiled core.

python -m benchmarks.record_agreement [DATA] [--every 1]

Each record set gives a wrapper from half of its pages, which is applied to all; each
site of swde a template that grows by half of its pages and reads all; each recipe page
its typed record. All are made both ways and must be the same, saved files included.
What differs is printed; the command fails if anything does.
"""

from __future__ import annotations

import gzip
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import scythe
from benchmarks.common import arguments, report, table
from benchmarks.record_sets import RecordSet, record_sets
from benchmarks.templates import SwdePage, swde
from scythe.core.library import is_built

Answer = Callable[[], object]


def main() -> None:
    parser = arguments("Records with and without the compiled core.")
    parser.add_argument("--every", type=int, default=1, help="only every nth set")
    options = parser.parse_args()
    if not is_built():
        raise SystemExit("There is no compiled core: see CONTRIBUTING.md.")
    counts = Counter(answers=0, differences=0)
    for name, answer in answers(options.data, options.every):
        counts["answers"] += 1
        without, with_core = [_answered(answer, core) for core in ("0", "1")]
        if without != with_core:
            counts["differences"] += 1
            print(name, flush=True)
    row = [f"{count:,}" for count in counts.values()]
    title = "Wrappers, templates and typed records with and without the core"
    report("record_agreement", [table(title, list(counts), [row])], dict(counts))
    if counts["differences"]:
        raise SystemExit(1)


def answers(data: Path, every: int) -> Iterator[tuple[str, Answer]]:
    """Yield the name of each answer and what gives it."""
    for page_set in record_sets(data)[::every]:
        yield f"wrapper of {page_set.name}", partial(read_by_wrapper, page_set)
    for site in sorted((data / "templates" / "swde").iterdir()):
        pages = list(swde(site))[::every]
        yield f"template of {site.name}", partial(read_by_template, pages)
    for path in sorted((data / "recipes" / "pages").glob("**/*.html.gz"))[::every]:
        html = gzip.decompress(path.read_bytes())
        yield f"record of {path.stem}", partial(scythe.read_page, html)


def read_by_wrapper(page_set: RecordSet) -> object:
    """Return the wrapper of half of a set's pages, and the records of all."""
    learned, _ = page_set.halves
    pages = [page.html for page in learned]
    wrapper = scythe.learn(pages, no_result=page_set.no_result, render=False)
    found = [
        [(record.text, record.fields, record.link) for record in wrapper.extract(html)]
        for html in (page.html for page in page_set.pages)
    ]
    return wrapper.as_json(), found


def read_by_template(pages: Sequence[SwdePage]) -> object:
    """Return the template of half of a site's pages, and what it reads of all."""
    template = scythe.Template()
    for page in pages[::2]:
        template.update((page.html, page.url))
    found = [template.extract(page.html) for page in pages]
    return template.as_json(), found


def _answered(answer: Answer, core: str) -> str:
    os.environ["SCYTHE_CORE"] = core
    try:
        return repr(answer())
    except scythe.ScytheError as error:
        return repr(error)


if __name__ == "__main__":
    main()
