"""The pages of the data folder as features and labels."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.blocks import find_blocks
from scythe.content.methods.learned.features import Features, compute_features
from scythe.tree import parse
from training.folds import fold_of
from training.labels import block_labels, words_of

MEASURED = "wcxb"
"""The set whose page types and conventions the tables are about."""
OTHERS = (
    "chaos2017",
    "cleaneval",
    "cleanportal",
    "dragnet",
    "fundus",
    "harvest",
    "l3s-gn1",
)
TRAINED = (MEASURED, *OTHERS)
UNSEEN = ("zh", "news-eras")


@dataclass(frozen=True, eq=False)
class Page:
    """One page with its truth, ready for training and for scoring."""

    corpus: str
    name: str
    page_type: str
    domain: str
    features: Features | None
    """None where the page has no text at all."""
    labels: NDArray[np.float64]
    sizes: NDArray[np.int64]
    """Words of each block as the measure counts them."""
    numbers: NDArray[np.int32]
    """The words of all blocks in order, as numbers."""
    truth: NDArray[np.int32]
    """How often the truth has each number."""

    def scores(self, chosen: NDArray[np.bool_]) -> tuple[float, float, float]:
        """Return precision, recall and F1 of the words of the chosen blocks."""
        picked = self.numbers[np.repeat(chosen, self.sizes)]
        true_total = int(self.truth.sum())
        if not true_total or not len(picked):
            right = float(not true_total and not len(picked))
            return right, right, right
        common = int(
            np.minimum(np.bincount(picked, minlength=len(self.truth)), self.truth).sum()
        )
        if not common:
            return 0.0, 0.0, 0.0
        precision, recall = common / len(picked), common / true_total
        return precision, recall, 2 * precision * recall / (precision + recall)

    @property
    def fold(self) -> int:
        """The fold of the page's domain."""
        return fold_of(self.domain)


def read_corpus(data: Path, corpus: str) -> list[Page]:
    """Return all pages of a corpus, in the order of their names."""
    folder = "content-more" if corpus in OTHERS else "content"
    paths = sorted((data / folder / corpus / "truth").glob("*.json"))
    with ProcessPoolExecutor() as pool:
        return list(pool.map(_read_page, paths, chunksize=16))


def _read_page(path: Path) -> Page:
    truth = json.loads(path.read_text(encoding="utf-8"))
    with gzip.open(path.parent.parent / "html" / f"{path.stem}.html.gz") as file:
        tree = parse(file.read())
    blocks = find_blocks(tree)
    lines = [words_of(line) for line in blocks.texts(tree)]
    true_words = words_of(truth["text"])
    numbers: dict[str, int] = {}
    flat = np.array(
        [numbers.setdefault(word, len(numbers)) for line in lines for word in line],
        dtype=np.int32,
    )
    counted = [numbers.setdefault(word, len(numbers)) for word in true_words]
    return Page(
        corpus=path.parent.parent.name,
        name=path.stem,
        page_type=truth["page_type"],
        domain=truth.get("domain") or truth.get("site") or path.stem,
        features=compute_features(tree, blocks) if len(blocks) else None,
        labels=block_labels(lines, true_words),
        sizes=np.array([len(line) for line in lines], dtype=np.int64),
        numbers=flat,
        truth=np.bincount(
            np.array(counted, dtype=np.int64), minlength=len(numbers)
        ).astype(np.int32),
    )


def with_text(pages: list[Page]) -> Iterator[tuple[Page, Features]]:
    """Yield the pages that have blocks, with their features."""
    for page in pages:
        if page.features is not None:
            yield page, page.features
