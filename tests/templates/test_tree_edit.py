"""The paper's classifier: sites, then trees with repeated siblings folded."""

from __future__ import annotations

from scythe.align.forest import ForestVocabulary
from scythe.templates.clusters.tree_edit import TreeEditClassifier, folded_forest
from scythe.tree.parse import parse


def recipe(lines: int) -> str:
    items = "".join(f"<li>{number} g of flour</li>" for number in range(lines))
    return (
        f"<h1>Bread</h1><div class=facts><b>Time</b><i>{lines} min</i></div>"
        f"<h2>Materials</h2><ul class=materials>{items}</ul>"
        "<h2>How</h2><p>Mix and bake it.</p>"
    )


def category(entries: int) -> str:
    rows = "<tr><td><a href=/x>Bread</a></td><td><img src=x.png></td></tr>" * entries
    return f"<form><input name=q></form><table class=list>{rows}</table>"


def test_repeated_siblings_are_one_example_node() -> None:
    vocabulary = ForestVocabulary()
    few = folded_forest(parse(recipe(2)), vocabulary)
    many = folded_forest(parse(recipe(40)), vocabulary)
    assert few.shape == many.shape


def test_pages_of_one_template_are_one_class() -> None:
    classifier = TreeEditClassifier()
    site = "https://bread.example"
    recipes = {classifier.add(parse(recipe(n)), f"{site}/{n}") for n in (3, 9, 40)}
    lists = {classifier.add(parse(category(n)), f"{site}/c{n}") for n in (2, 30)}
    assert len(recipes) == len(lists) == 1
    assert recipes.isdisjoint(lists)


def test_pages_of_other_sites_are_other_classes() -> None:
    classifier = TreeEditClassifier()
    page = parse(recipe(3))
    one = classifier.add(page, "https://bread.example/1")
    assert classifier.add(page, "https://cake.example/1") != one
    assert classifier.add(page, "https://bread.example/2") == one


def test_empty_pages_are_pages() -> None:
    classifier = TreeEditClassifier()
    assert classifier.add(parse("")) == classifier.add(parse("")) == 0
