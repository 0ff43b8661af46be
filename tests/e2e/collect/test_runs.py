"""Collections of a site that evolves, from the first run on, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from growing_site import GrowingSite, Recipe, Served
from scythe.collect.collection import Collection
from scythe.urls import url_key

on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""For stories in which nothing happens to the database that does not happen in others,
too.
"""


@pytest.fixture
def site() -> Iterator[Served]:
    growing = GrowingSite()
    growing.grow(1, 12)
    with Served(growing) as served:
        yield served


def collection_of(site: Served, database: str) -> Collection:
    collection = Collection.add(f"{site.url}/", "kitchen", "recipe", db=database)
    collection.run()
    collection.accept_suggestions()
    return collection


def titles(collection: Collection, *states: str) -> set[str]:
    return {
        str((record.fields or {}).get("title"))
        for record in collection.records(*(states or ("ok",)))
    }


def test_the_first_run_finds_all_records_by_structure_alone(
    site: Served, database: str
) -> None:
    with collection_of(site, database) as collection:
        assert titles(collection) == {
            recipe.title for recipe in site.site.recipes.values()
        }
        record = next(iter(collection.records("ok")))
        recipe = Recipe.of(1)
        assert record.fields is not None
        assert record.fields["ingredients"] == recipe.ingredients
        assert record.fields["instructions"] == recipe.steps
        assert not list(collection.records("review"))
        assert all(link.reason for link in collection.links() if link.decision)
    paths = [path for path, _ in site.site.asked]
    assert len(paths) == len(set(paths)) == 1 + 1 + 12 + 2
    assert {"/about", "/imprint"} <= set(paths), "either might have been the list"


@on_sqlite
def test_an_unchanged_site_costs_one_conditional_request(
    site: Served, database: str
) -> None:
    with collection_of(site, database) as collection:
        site.site.asked.clear()
        summary = collection.run()
        assert site.site.asked == [("/robots.txt", 404), ("/", 304)]
        assert not summary.records


@pytest.mark.both_databases
def test_new_changed_and_gone_records(site: Served, database: str) -> None:
    with collection_of(site, database) as collection:
        site.site.grow(50, 3)
        changed = site.site.recipes[Recipe.of(2).slug]
        changed.steps.append("Serve it warm.")
        del site.site.recipes[Recipe.of(3).slug]
        summary = collection.run(refetch_all=True)
        assert dict(summary.records) == {"new": 3, "changed": 1, "gone": 1}
        assert titles(collection) == {
            recipe.title for recipe in site.site.recipes.values()
        }
        assert titles(collection, "gone") == {Recipe.of(3).title}
        assert site.site.counts()[304] == 10


@on_sqlite
def test_a_redesign_keeps_all_records_and_names(site: Served, database: str) -> None:
    with collection_of(site, database) as collection:
        before = {record.key: record.fields for record in collection.records("ok")}
        site.site.redesigned = True
        site.site.grow(70, 2)
        summary = collection.run(refetch_all=True)
        after = {record.key: record.fields for record in collection.records("ok")}
        assert summary.records.get("new") == 2
        for address, fields in before.items():
            now = after[address]
            assert fields is not None
            assert now is not None
            assert [now[name] for name in ("title", "ingredients", "instructions")] == [
                fields[name] for name in ("title", "ingredients", "instructions")
            ]


def test_moved_records_keep_their_history(site: Served, database: str) -> None:
    with collection_of(site, database) as collection:
        old = {record.id: record.url for record in collection.records("ok")}
        site.site.ending = "/"
        site.site.grow(90, 2)
        site.site.asked.clear()
        summary = collection.run(refetch_all=True)
        assert dict(summary.records) == {"moved": 12, "new": 2}
        moved = {
            record.id: record for record in collection.records("ok") if record.id in old
        }
        assert {record.moved_from for record in moved.values()} == set(old.values())
        assert all(record.url.endswith("/") for record in moved.values())
        assert not list(collection.records("gone"))
        assert len(site.site.asked) <= 2 + 14 + 3


@on_sqlite
def test_a_page_that_becomes_one_to_choose_from_hands_its_record_on(
    site: Served, database: str
) -> None:
    site.site.ending = "/"
    with collection_of(site, database) as collection:
        slug = Recipe.of(3).slug
        old = site.url + site.site.path(slug)
        (number,) = (record.id for record in collection.records() if record.url == old)
        site.site.recipes[f"{slug}/quick"] = Recipe.of(60)
        site.site.recipes[f"{slug}/classic"] = Recipe.of(3)
        names = "".join(
            f'<a href="{name}/">{name}</a> ' for name in ("quick", "classic")
        )
        body = f"<h1>Which one?</h1><p>{names}</p>".encode()
        site.site.extra[site.site.path(slug)] = (
            200,
            {"Content-Type": "text/html"},
            body,
        )

        summary = collection.run(refetch_all=True)
        assert dict(summary.records) == {"moved": 1, "new": 1}
        moved = next(record for record in collection.records() if record.id == number)
        assert (moved.url, moved.moved_from) == (f"{old}classic/", old)
        assert not collection.run(refetch_all=True).records, "no second one comes of it"


@on_sqlite
def test_redirected_records_are_moved(site: Served, database: str) -> None:
    with collection_of(site, database) as collection:
        slug = Recipe.of(5).slug
        recipe = site.site.recipes[slug]
        old = site.site.path(slug)
        site.site.recipes = {
            f"the-{each}" if each == slug else each: value
            for each, value in site.site.recipes.items()
        }
        site.site.extra[old] = (301, {"Location": site.site.path(f"the-{slug}")}, b"")
        summary = collection.run(refetch_all=True)
        assert dict(summary.records) == {"moved": 1}
        found = [
            record
            for record in collection.records("ok")
            if (record.fields or {}).get("title") == recipe.title
        ]
        assert [record.key for record in found] == [
            url_key(site.url + site.site.path(f"the-{slug}"))
        ]


@on_sqlite
def test_records_that_are_listed_by_addresses_that_lead_to_theirs_are_listed(
    site: Served, database: str
) -> None:
    site.site.ending = "/"
    listed = []
    for slug, recipe in site.site.recipes.items():
        path = f"/r/{slug}"
        listed.append(f'<li><a href="{path}">{recipe.title}</a></li>')
        site.site.extra[path] = (301, {"Location": site.site.path(slug)}, b"")
    home = f"<h1>Kitchen</h1><ul>{''.join(listed)}</ul>".encode()
    site.site.extra["/"] = (200, {"Content-Type": "text/html"}, home)
    with collection_of(site, database) as collection:
        assert len(list(collection.records("ok"))) == 12
        site.site.asked.clear()
        assert not collection.run(refetch_all=True).records
    assert len(site.site.asked) == 2 + 2 * 12, "no record is asked for as vanished"


@on_sqlite
def test_a_known_page_that_proves_to_be_a_record_is_fetched_in_that_run(
    site: Served, database: str
) -> None:
    with collection_of(site, database) as collection:
        slug = Recipe.of(3).slug
        url = site.url + site.site.path(slug)
        rule = collection.add_link_rule("never", url)
        site.site.recipes[slug].steps.append("Serve it warm.")
        collection.remove_link_rule(rule.id)
        assert dict(collection.run(refetch_all=True).records) == {"changed": 1}


@on_sqlite
def test_a_page_that_comes_back_is_back(site: Served, database: str) -> None:
    with collection_of(site, database) as collection:
        slug = Recipe.of(4).slug
        recipe = site.site.recipes.pop(slug)
        collection.run(refetch_all=True)
        site.site.recipes[slug] = recipe
        summary = collection.run(refetch_all=True)
        assert summary.records.get("back") == 1
        assert not list(collection.records("gone"))


def test_operator_names_attributes(site: Served, database: str) -> None:
    with collection_of(site, database) as collection:
        collection.unname_slot("section:directions")
        assert {
            reason["field"]
            for record in collection.records("review")
            for reason in record.reasons
        } == {"instructions"}
        collection.name_slot("section:directions", "instructions")
        assert not list(collection.records("review"))
