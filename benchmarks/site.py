"""Site-aware extraction: ten pages of one site and time together, beside the same pages
one by one.

python -m benchmarks.site [DATA]
"""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

import scythe
from benchmarks.common import Page, arguments, content_pages, report, table
from benchmarks.scoring import word_score
from scythe.content.extract import METHODS


def main() -> None:
    options = arguments("Extraction of several pages of a site together.").parse_args()
    groups: dict[tuple[str, int], list[Page]] = defaultdict(list)
    for page in content_pages(options.data, "news-eras"):
        groups[page.truth["site"], page.truth["era"]].append(page)
    rows, figures = [], {}
    for method in METHODS:
        alone, together = [], []
        for pages in groups.values():
            documents = scythe.extract_many(
                [page.html for page in pages],
                method=method,
            )
            for page, document in zip(pages, documents, strict=True):
                single = scythe.extract(page.html, method=method)
                alone.append(word_score(single.text, page.truth["text"]))
                together.append(word_score(document.text, page.truth["text"]))
        means = [fmean(score.f1 for score in scores) for scores in (alone, together)]
        shares = [
            fmean(score.correctly for score in scores) for scores in (alone, together)
        ]
        rows.append([f"scythe {method}", *means, *(f"{share:.1%}" for share in shares)])
        figures[method] = {"f1": means, "correctly": shares}
    header = [
        "extractor",
        "F1 alone",
        "F1 together",
        "correctly alone",
        "correctly together",
    ]
    report(
        "site",
        [table("news-eras, the ten pages of a site and era at a time", header, rows)],
        figures,
    )


if __name__ == "__main__":
    main()
