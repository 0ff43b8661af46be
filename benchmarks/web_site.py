"""A collection of many records for the benchmark of the web app: a real run over a
small made-up site, then many pages like them.

The run gives real templates, links and attributes. The rest is as a larger site would
have left it: pages, what was read from them, links, and records of their own with all
that a recipe has.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Mapping
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from sqlalchemy import Connection, Select, Table, func, insert, select

from scythe.collect.collection import Collection
from scythe.collect.records.standardize.ingredients import parse_ingredient
from scythe.store import Store
from scythe.store.collection_tables import EXTRACTED, LINKS, PAGES
from scythe.store.collections.records import NewRecord, Reason, RecordRows, RecordSource
from scythe.store.statements import batches

NAME = "kitchen"
REAL = 60
"""Pages of the site that are really fetched."""
_GRAINS = (
    "oats barley rye spelt millet rice buckwheat quinoa wheat maize lentils beans "
    "chickpeas noodles potatoes"
).split()
_DISHES = (
    "porridge soup bread stew salad pancakes dumplings gratin pie curry cake tart "
    "risotto omelette"
).split()
_INGREDIENTS = (
    "milk butter salt honey onion carrot apple cream cheese thyme pepper garlic lemon "
    "parsley egg leek cumin paprika sugar flour "
    "yeast oil vinegar mustard ginger coriander spinach tomato basil celery"
).split()
_LOOKS = (
    "warm golden quick slow crisp smoky sweet spicy creamy rustic light hearty".split()
)
_PEOPLE = [
    f"{first} {last}"
    for first in "Ada Bo Cleo Dan Eva Finn Gus Hana Ivo June".split()
    for last in "Abel Cook Dorn Falk".split()
]
_COURSES = ("Dinner", "Lunch", "Breakfast", "Dessert", "Snack", "Side dish")
_CUISINES = "Thai Greek French Indian Nordic Mexican Turkish".split()
_VERBS = "Chop Stir Boil Bake".split()


def recipe(number: int) -> dict[str, Any]:
    """Return a recipe in the form of its schema, always the same for a number."""
    chance = random.Random(number)
    ingredients = [
        *chance.sample(_INGREDIENTS, chance.randint(5, 9)),
        f"{chance.choice(_LOOKS)} {chance.choice(_INGREDIENTS)} paste",
    ]
    lines = [
        f"{chance.randint(1, 9) * 50} g {ingredient}" for ingredient in ingredients
    ]
    grain = chance.choice(_GRAINS)
    steps = [
        f"{chance.choice(_VERBS)} the {ingredient} with the {grain} "
        f"for {chance.randint(2, 40)} minutes until it is "
        f"{chance.choice(_LOOKS)}, then let it rest and taste it."
        for ingredient in ingredients
    ]
    prep, cook = chance.randint(1, 12) * 5, chance.randint(1, 30) * 5
    return {
        "title": f"{chance.choice(_LOOKS).title()} {grain} {chance.choice(_DISHES)} "
        f"with {ingredients[0]} no. {number}",
        "ingredients": lines,
        "ingredients_parsed": [parse_ingredient(line) for line in lines],
        "instructions": steps,
        "yield": f"{chance.randint(1, 8)} servings",
        "prep_time": prep,
        "cook_time": cook,
        "total_time": prep + cook,
        "author": chance.choice(_PEOPLE),
        "published": f"20{chance.randint(10, 25)}-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}",
        "category": chance.choice(_COURSES),
        "cuisine": chance.choice(_CUISINES),
        "keywords": ", ".join(chance.sample(_LOOKS, 3)),
        "description": f"A dish for every day, with {', '.join(chance.sample(_INGREDIENTS, 6))}.",
        "rating": round(chance.uniform(2.5, 5), 1),
    }


def page(fields: Mapping[str, Any]) -> bytes:
    """Return the page of a recipe on the site."""
    lines = "".join(f"<li>{escape(line)}</li>" for line in fields["ingredients"])
    steps = "".join(f"<li>{escape(line)}</li>" for line in fields["instructions"])
    title = escape(fields["title"])
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{title}</title></head>"
        f"<body><nav><a href=/>Home</a></nav><h1>{title}</h1>"
        f"<p class=by>By <span>{fields['author']}</span></p>"
        f"<p class=time>Total time: {fields['total_time']} min</p>"
        f"<h2>Ingredients</h2><ul>{lines}</ul><h2>Directions</h2><ol>{steps}</ol>"
        f"<p class=about>{fields['description']}</p></body></html>"
    ).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer with the list or a recipe."""
        entries = "".join(
            f"<li><a href=/r/{number}.html>{recipe(number)['title']}</a></li>"
            for number in range(REAL)
        )
        body = f"<h1>All</h1><ul>{entries}</ul>".encode() if self.path == "/" else b""
        if self.path.startswith("/r/"):
            body = page(recipe(int(self.path[3:-5])))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""


def make(database: str, total: int) -> None:
    """Make the collection."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Collection.add(
        f"http://127.0.0.1:{server.server_address[1]}/", NAME, "recipe", db=database
    ) as collection:
        collection.run()
        collection.accept_suggestions()
        server.shutdown()
        _grow(collection.store, collection.row.id, total)


def _grow(store: Store, collection: int, total: int) -> None:
    """Add pages like the real ones, and a record to each; one in two hundred waits for
    review.
    """
    rows = RecordRows(store, collection)
    with store.writing() as connection:
        first: int = connection.execute(select(func.max(PAGES.c.id))).scalar_one() + 1
        extracted_pages = select(PAGES).join(
            EXTRACTED, EXTRACTED.c.page_id == PAGES.c.id
        )
        pages = _rows(connection, PAGES, extracted_pages)
        extracted = _rows(connection, EXTRACTED, select(EXTRACTED))
        read = {row["page_id"]: row for row in extracted}
        links = _rows(connection, LINKS, select(LINKS))
    for numbers in batches(range(REAL, total), 1_000):
        with store.writing() as connection:
            likes = [(number, pages[number % len(pages)]) for number in numbers]
            new = [
                {**like, "id": first + number, "url": f"{like['url']}?{number}"}
                for number, like in likes
            ]
            connection.execute(insert(PAGES), new)
            connection.execute(
                insert(EXTRACTED),
                [
                    {**read[like["id"]], "page_id": first + number}
                    for number, like in likes
                ],
            )
            more = [(number, links[number % len(links)]) for number in numbers]
            without_number = [
                {name: value for name, value in link.items() if name != "id"}
                for _, link in more
            ]
            connection.execute(
                insert(LINKS),
                [
                    {**link, "url": f"{link['url']}?{number}"}
                    for link, (number, _) in zip(without_number, more, strict=True)
                ],
            )
        rows.store(_records(new))


def _rows(
    connection: Connection, table: Table, query: Select[Any]
) -> list[dict[str, Any]]:
    """Return rows by the names that insertions know columns by."""
    rows = connection.execute(query).all()
    keys = [column.key for column in table.c]
    return [dict(zip(keys, row, strict=True)) for row in rows]


def _records(pages: list[dict[str, Any]]) -> Iterator[NewRecord]:
    for made in pages:
        number = int(made["url"].rpartition("?")[2])
        doubts = (
            [
                Reason(
                    "ingredients",
                    "missing",
                    "",
                    "ingredients is missing: the record has none.",
                )
            ]
            if number % 200 == 0
            else []
        )
        yield NewRecord(
            made["url"],
            made["url"],
            recipe(number),
            RecordSource(made["id"], made["body_hash"], made["cluster"], 1),
            doubts,
        )
