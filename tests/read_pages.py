"""A collection whose pages were fetched and read, without any network: as a run leaves
it before anybody named anything.
"""

from __future__ import annotations

from scythe.collect.context import RunContext
from scythe.collect.pages.sections import section_lines
from scythe.collect.steps.importer import import_records
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.pages import FetchResult, PageRequest
from scythe.store.collections.templates import ExtractedRow
from scythe.store.states import FetchOutcome, PageStage
from scythe.templates.template.template import Template
from scythe.tree.parse import parse

HOME = "https://oats.example/"
DISHES = "porridge soup bread stew salad pancakes dumplings gratin pie curry".split()


def recipe_page(number: int, extra: str = "") -> str:
    """A recipe; all have a title, a time, a list of ingredients and some steps."""
    dish, salt = DISHES[number % len(DISHES)], "" if number % 2 else "<li>salt</li>"
    return (
        f"<!doctype html><html><head><title>{dish} {number}</title><link rel=stylesheet href=/s.css></head><body>"
        f"<nav><a href=/>Home</a></nav><h1>{dish.title()} no. {number}</h1><p class=time>Total time: {10 + number} min</p>"
        f"<p class=cook>Cook: {'Ann' if number % 2 else 'Bob'} of {dish}</p>"
        f"<h2>Ingredients</h2><ul><li>{number} g oats</li><li>{2 * number} ml milk</li>{salt}</ul>"
        f"<h2>Directions</h2><ol><li>Stir the {dish}.</li><li>Boil it {number} minutes.</li></ol>"
        f"{extra}<footer>All rights reserved</footer>"
    )


def read_collection(
    store: Store, name: str = "oats", pages: int = 12, extra: str = ""
) -> RunContext:
    """The collection, open for work."""
    rows = CollectionRows(store)
    rows.add(name, HOME, "recipe")
    context = RunContext(store, rows.get(name))
    run = context.runs.begin("pages").id
    if pages:
        add_pages(
            context,
            {
                f"{HOME}{number}": recipe_page(number, extra)
                for number in range(1, pages + 1)
            },
            run,
        )
        import_pages(context)
    context.runs.end(run, {})
    return context


def import_pages(context: RunContext) -> None:
    """Import all pages that were read: without names all records are in review."""
    context.pages.set_stage(
        [page.id for page in context.pages.all()], PageStage.EXTRACTED
    )
    import_records(context)


def add_pages(
    context: RunContext, pages: dict[str, str], run: int, cluster: int = 1
) -> None:
    """Fetch and read pages; the template of the cluster grows by them."""
    context.pages.enqueue([PageRequest(url, "a link", "record") for url in pages], run)
    numbers = {page.url: page.id for page in context.pages.all()}
    context.pages.store_results(
        [
            FetchResult(numbers[url], FetchOutcome.OK, html.encode(), 200, url)
            for url, html in pages.items()
        ]
    )
    context.pages.classify(
        {numbers[url]: (cluster, "record") for url in pages}, "clusters", {}
    )
    stored = context.templates.latest(cluster)
    trees = {url: parse(html) for url, html in pages.items()}
    if stored is None:
        template = Template.induce([(tree, url) for url, tree in trees.items()])
    else:
        template = Template.from_json(stored.definition)
        for url, tree in trees.items():
            template.update((tree, url))
    found = []
    for url, tree in trees.items():
        slots = {
            **template.extract(tree),
            **{f"section:{name}": lines for name, lines in section_lines(tree).items()},
        }
        hashed = next(page.body_hash for page in context.pages.all() if page.url == url)
        found.append(
            ExtractedRow(
                numbers[url],
                cluster,
                0,
                hashed or "",
                slots,
                {"description": ["Oats every day"]},
            )
        )
    context.templates.store_extracted((cluster, template.as_json(), "grown"), found)
    context.pages.set_stage([numbers[url] for url in pages], PageStage.DONE)
