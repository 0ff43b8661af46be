"""Answers with and without the compiled core, on every page of a folder.

python -m benchmarks.core_agreement [DATA] [--every 1] [--trees]

For each page: the tree, the blocks and features of the learned method, the documents of
all methods, and the records from tags alone are made both ways and must be the same.
What differs is printed; the command fails if anything does.
"""

from __future__ import annotations

import gzip
import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import scythe
from benchmarks.common import arguments, report, table
from benchmarks.fuzz_parser import LIMITS, page_files, tree_difference
from scythe.content.extract import Method
from scythe.content.methods.learned.compiled import compiled_blocks, compiled_rows
from scythe.content.methods.learned.declared import read_declared
from scythe.content.methods.learned.features import NAMES, reference_rows
from scythe.content.methods.learned.outline import reference_blocks
from scythe.core.library import is_built
from scythe.tree.compiled.trees import compiled_tree
from scythe.tree.construction.reference import reference_tree
from scythe.tree.encoding import page_text
from scythe.tree.tree import Tree

METHODS: tuple[Method, ...] = ("learned", "econ", "econ+", "coreex", "lbda")


def main() -> None:
    parser = arguments("Answers with and without the compiled core.")
    parser.add_argument("--every", type=int, default=1, help="only every nth page")
    parser.add_argument("--trees", action="store_true", help="trees and features only")
    options = parser.parse_args()
    if not is_built():
        raise SystemExit("There is no compiled core: see CONTRIBUTING.md.")
    counts = Counter(pages=0, declined=0, differences=0)
    for path in page_files(options.data)[:: options.every]:
        data = path.read_bytes()
        html = gzip.decompress(data) if path.suffix == ".gz" else data
        counts["pages"] += 1
        for found in differences(html, documents=not options.trees):
            counts[found if found == "declined" else "differences"] += 1
            if found != "declined":
                print(f"{path}: {found}", flush=True)
    row = [f"{count:,}" for count in counts.values()]
    title = "Pages answered with and without the core"
    report("core_agreement", [table(title, list(counts), [row])], dict(counts))
    if counts["differences"]:
        raise SystemExit(1)


def differences(html: bytes, *, documents: bool = True) -> Iterator[str]:
    """Yield in what the answers to a page differ; "declined" where the core leaves the
    page to the reference.
    """
    page = page_text(html, LIMITS.max_bytes)
    compiled = compiled_tree(page, LIMITS)
    if compiled is None:
        yield "declined"
        return
    found = tree_difference(compiled, reference_tree(page, LIMITS))
    found = found or learned_difference(compiled)
    if found:
        yield found
    if not documents:
        return
    for method in METHODS:
        if _differs(partial(_document, html, method)):
            yield f"document by {method}"
    if _differs(partial(_records, html)):
        yield "records"


def _document(html: bytes, method: Method) -> object:
    return scythe.extract(html, method=method).to_dict()


def _records(html: bytes) -> object:
    records = scythe.records(
        html, render=False
    )  # a browser lays out no page twice alike
    return [(record.text, record.fields) for record in records]


def learned_difference(tree: Tree) -> str | None:
    """Return in what blocks or features of a tree by the core differ from those of the
    reference; None where they are the same, or the core leaves them to it.
    """
    blocks, expected_blocks = compiled_blocks(tree), reference_blocks(tree)
    if blocks is None:
        return None
    for name in ("nodes", "block_of", "first", "container"):
        one, other = getattr(blocks, name), getattr(expected_blocks, name)
        if not np.array_equal(one, other):
            return f"{name} of blocks"
    if not len(blocks):
        return None
    facts = read_declared(tree)
    rows = compiled_rows(tree, blocks, facts, len(NAMES))
    if rows is None:
        return None
    expected = reference_rows(tree, blocks, facts)
    for name in expected._fields:
        if not np.array_equal(getattr(rows, name), getattr(expected, name)):
            return f"{name} of features"
    return None


def _differs(answer: Callable[[], object]) -> bool:
    answers = []
    for setting in ("0", "1"):
        os.environ["SCYTHE_CORE"] = setting
        try:
            answers.append(repr(answer()))
        except scythe.ScytheError as error:
            answers.append(repr(error))
    return answers[0] != answers[1]


if __name__ == "__main__":
    main()
