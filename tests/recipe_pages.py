"""Pages of one kind for tests of templates: recipes with attributes that come, go,
repeat and move.
"""

from __future__ import annotations

WORDS = "barley oats rye wheat millet spelt maize rice".split()


def sequence_page(letters: str, number: int) -> str:
    """A page of figure 6 of RecipeCrawler: each letter is a slot with text of its own."""
    parts = "".join(
        f"<p class={letter}><b>{letter.upper()}</b> {letter} of page {number}.{at}</p>"
        for at, letter in enumerate(letters)
    )
    return f"<html><head><title>Page {number}</title></head><body><div id=main>{parts}</div></body></html>"


def recipe_page(number: int, **given: object) -> str:
    """A recipe with rows of attributes, ingredients and steps; `rows` replaces the
    rows, `extra` comes at the end.
    """
    grain = WORDS[number % len(WORDS)]
    rows = given.get("rows") or {
        "Prep time": f"{5 + number} min",
        "Serves": str(2 + number),
        "Cook": f"Ann {grain}",
    }
    assert isinstance(rows, dict)
    table = "".join(
        f"<tr><td>{label}:</td><td>{value}</td></tr>" for label, value in rows.items()
    )
    ingredients = "".join(
        f"<li>{at + number} cups of {grain} {at}</li>" for at in range(2 + number % 4)
    )
    steps = "".join(
        f"<li>Grind the {grain}, part {at} of {number}.</li>"
        for at in range(1 + number % 3)
    )
    return (
        f"<html><head><title>{grain} {number}</title></head><body>"
        "<ul class=menu><li><a href=/>Home</a><li><a href=/all>All</a></ul>"
        f"<h1>Porridge of {grain} {number}</h1><table>{table}</table><h2>Ingredients</h2><ul class=ingredients>{ingredients}</ul>"
        f"<h2>Steps</h2><ol>{steps}</ol>{given.get('extra', '')}<p class=foot>Copyright of nobody</p></body></html>"
    )
