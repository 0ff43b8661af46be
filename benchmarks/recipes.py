"""Title, ingredients and instructions of recipe pages, beside recipe-scrapers in its
generic mode.

    python -m benchmarks.recipes [DATA]

Token F1 is that of the multisets of lower-cased words; exact: equal letter for letter,
lists line by line. Pages of one domain are read together, as a collection would; *each
alone* is without. The model that judges lines is for every page one that saw no page of
its domain (five folds, `python -m training.recipes` leaves them). recipe-scrapers gets
an address it does not know, so that it has only what pages declare. *template* names
the slots of a template grown from the domain's pages by proposals, with no operator.
"""

from __future__ import annotations

import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from recipe_scrapers import scrape_html
from training.folds import fold_of, recipes_file

from benchmarks.common import arguments, report, table
from benchmarks.recipe_pages import RecipePage, based_cooking_stage, recipe_pages
from benchmarks.scoring import word_score
from scythe.boosting import TreeEnsemble
from scythe.templates.declared.schemas import RECIPE
from scythe.templates.lines.recipe_parts import load_model
from scythe.templates.page_records import page_records
from scythe.templates.suggestions.suggestions import suggest
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.template import Template
from scythe.tree import parse

STAGES = (1, 4, 7)
FIELDS = ("title", "ingredients", "instructions")
HEADER = (
    "pages",
    "n",
    "reader",
    *(f"{field} {measure}" for field in FIELDS for measure in ("F1", "exact")),
    "ms",
)

Answer = Mapping[str, list[str]]
Reader = Callable[[Sequence[RecipePage]], list[Answer]]


def scythe_together(pages: Sequence[RecipePage]) -> list[Answer]:
    records = page_records(
        [(parse(page.html), page.truth["url"]) for page in pages],
        RECIPE,
        fold_model(pages[0].domain),
    )
    return [record.values for record in records]


def scythe_alone(pages: Sequence[RecipePage]) -> list[Answer]:
    return [answer for page in pages for answer in scythe_together([page])]


def scythe_template(pages: Sequence[RecipePage]) -> list[Answer]:
    """Return slots of a template that suggestions name; of a domain with one page there
    is nothing to grow a template from.
    """
    trees = [(parse(page.html), str(page.truth["url"])) for page in pages]
    template = Template.induce(trees)
    named = {
        suggestion.slot: suggestion.name
        for suggestion in suggest(
            template, trees, RECIPE, model=fold_model(pages[0].domain)
        )
    }
    return [_named_values(template.extract(tree), named) for tree in trees]


def _named_values(read: Extracted, named: Mapping[str, str]) -> Answer:
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for slot, name in named.items():
        if slot in read:
            found[name].extend(zip(read.nodes[slot], read[slot], strict=True))
    return {
        name: list(dict.fromkeys(text for _, text in sorted(values)))
        for name, values in found.items()
    }


def fold_model(domain: str) -> TreeEnsemble:
    """Return the model that saw no page of a domain."""
    return load_model(recipes_file(fold_of(domain)))


def recipe_scrapers(pages: Sequence[RecipePage]) -> list[Answer]:
    return [_generic(page.html.decode("utf-8", "replace")) for page in pages]


def _generic(html: str) -> Answer:
    answer: dict[str, list[str]] = {}
    try:
        scraper: Any = scrape_html(
            html, org_url="https://unknown.example/recipe", supported_only=False
        )
    except Exception:  # its failures are missing answers here
        return answer
    readers: dict[str, Callable[[], list[str]]] = {
        "title": lambda: [str(scraper.title())],
        "ingredients": scraper.ingredients,
        "instructions": scraper.instructions_list,
    }
    for field, read in readers.items():
        try:
            answer[field] = read()
        except Exception:
            continue
    return answer


READERS: dict[str, Reader] = {
    "scythe": scythe_together,
    "scythe, each alone": scythe_alone,
    "scythe, template": scythe_template,
    "recipe-scrapers": recipe_scrapers,
}


def normal(lines: Sequence[str]) -> str:
    """Return lines as one normalised text: quotes, dashes and fractions differ between
    generators.
    """
    return unicodedata.normalize(
        "NFKC", "\n".join(line for line in lines if line)
    ).replace("\u2044", "/")


def letters(lines: Sequence[str]) -> list[str]:
    return ["".join(filter(str.isalnum, normal([line]).casefold())) for line in lines]


def scores(page: RecipePage, answer: Answer) -> list[float]:
    """Return F1 and exact of each field."""
    found = []
    for field in FIELDS:
        truth = (
            page.truth[field]
            if isinstance(page.truth[field], list)
            else [page.truth[field] or ""]
        )
        answered = list(answer.get(field, []))[: 1 if field == "title" else None]
        found += [
            word_score(normal(answered), normal(truth)).f1,
            float(letters(answered) == letters(truth)),
        ]
    return found


def unseen_site(data: Path, stage: int) -> list[RecipePage]:
    """Return a stage of based.cooking: no model was trained on it, but two rules were
    added after a look at its errors.
    """
    truth, html = based_cooking_stage(data, stage)
    named = {"domain": "based.cooking", "schema_org": "none"}
    return [
        RecipePage(
            recipe["url"],
            html[recipe["url"]],
            {**recipe, **named, "instructions": recipe["directions"]},
        )
        for recipe in truth["recipes"]
    ]


def unseen_rows(data: Path) -> list[list[Any]]:
    """Return its recipes read together and each alone, with the model that is
    installed.
    """
    rows: list[list[Any]] = []
    for stage in STAGES:
        pages = unseen_site(data, stage)
        trees = [
            (parse(page.html), f"https://based.cooking{page.name}") for page in pages
        ]
        ways = {"scythe": [trees], "scythe, each alone": [[tree] for tree in trees]}
        for name, parts in ways.items():
            start = time.process_time()
            answers = [
                record.values for part in parts for record in page_records(part, RECIPE)
            ]
            spent = 1000 * (time.process_time() - start) / len(pages)
            columns = zip(
                *(
                    scores(page, answer)
                    for page, answer in zip(pages, answers, strict=True)
                ),
                strict=True,
            )
            rows.append(
                [
                    f"stage {stage}",
                    len(pages),
                    name,
                    *(sum(column) / len(pages) for column in columns),
                    round(spent, 1),
                ]
            )
    return rows


def groups(pages: Sequence[RecipePage]) -> dict[str, list[RecipePage]]:
    """Return the pages that figures are asked for."""
    sites = Counter(page.domain for page in pages)
    rest = [page for page in pages if not page.declares_all]
    return {
        "all": list(pages),
        "full schema.org": [page for page in pages if page.declares_all],
        "not full": rest,
        "not full, domain with 2 or more": [
            page for page in rest if sites[page.domain] > 1
        ],
        "not full, domain with 1": [page for page in rest if sites[page.domain] == 1],
    }


def main() -> None:
    data = arguments(str(__doc__)).parse_args().data
    pages = list(recipe_pages(data))
    domains: dict[str, list[RecipePage]] = defaultdict(list)
    for page in pages:
        domains[page.domain].append(page)
    measured: dict[str, dict[str, list[float]]] = {name: {} for name in READERS}
    for together in domains.values():
        for name, reader in READERS.items():
            start = time.process_time()
            answers = reader(together)
            spent = 1000 * (time.process_time() - start) / len(together)
            for page, answer in zip(together, answers, strict=True):
                measured[name][page.name] = [*scores(page, answer), spent]
    rows: list[list[Any]] = []
    for group, chosen in groups(pages).items():
        for name, found in measured.items():
            columns = zip(*(found[page.name] for page in chosen), strict=True)
            means = [sum(column) / max(len(chosen), 1) for column in columns]
            rows.append([group, len(chosen), name, *means[:-1], round(means[-1], 1)])
    figures = [dict(zip(HEADER, row, strict=True)) for row in rows]
    unseen = unseen_rows(data)
    untrained = "Recipes of a site that no model was trained on: based.cooking"
    tables = [table("Recipes", HEADER, rows), table(untrained, HEADER, unseen)]
    site = [dict(zip(HEADER, row, strict=True)) for row in unseen]
    report(
        "recipes", tables, {"quality": figures, "unseen site": site, "pages": measured}
    )


if __name__ == "__main__":
    main()
