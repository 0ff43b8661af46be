"""A collection whose pages were fetched and read, without any network: as a run leaves it before anybody named anything."""

from __future__ import annotations

from scythe.collect.importing import import_records
from scythe.collect.sections import sections
from scythe.collect.work import Work
from scythe.store import Store
from scythe.store.collections import CollectionRows
from scythe.store.pages import DONE, EXTRACTED_, OK, Fetched, Wanted
from scythe.store.templates import ExtractedRow
from scythe.templates.template import Template
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


def read_collection(store: Store, name: str = "oats", pages: int = 12, extra: str = "") -> Work:
    """The collection, open for work."""
    rows = CollectionRows(store)
    rows.add(name, HOME, "recipe")
    work = Work(store, rows.get(name))
    run = work.runs.begin("pages").id
    if pages:
        add_pages(work, {f"{HOME}{number}": recipe_page(number, extra) for number in range(1, pages + 1)}, run)
        import_pages(work)
    work.runs.end(run, {})
    return work


def import_pages(work: Work) -> None:
    """Import all pages that were read: without names all records are in review."""
    work.pages.move_on([page.id for page in work.pages.all()], EXTRACTED_)
    import_records(work)


def add_pages(work: Work, pages: dict[str, str], run: int, cluster: int = 1) -> None:
    """Fetch and read pages; the template of the cluster grows by them."""
    work.pages.want([Wanted(url, "a link", "record") for url in pages], run)
    numbers = {page.url: page.id for page in work.pages.all()}
    work.pages.arrive([Fetched(numbers[url], OK, html.encode(), 200, url) for url, html in pages.items()])
    work.pages.classify({numbers[url]: (cluster, "record") for url in pages}, "clusters", {})
    stored = work.templates.latest(cluster)
    trees = {url: parse(html) for url, html in pages.items()}
    if stored is None:
        template = Template.induce([(tree, url) for url, tree in trees.items()])
    else:
        template = Template.from_json(stored.definition)
        for url, tree in trees.items():
            template.update((tree, url))
    found = []
    for url, tree in trees.items():
        slots = {**template.extract(tree), **{f"section:{name}": lines for name, lines in sections(tree).items()}}
        hashed = next(page.body_hash for page in work.pages.all() if page.url == url)
        found.append(ExtractedRow(numbers[url], cluster, 0, hashed or "", slots, {"description": ["Oats every day"]}))
    work.templates.read((cluster, template.as_json(), "grown"), found)
    work.pages.move_on([numbers[url] for url in pages], DONE)
