"""A recipe site as people make them: a look of its own, pictures, categories, cooks.
All of it is made up, here.

    python tests/demo_site.py [PORT]

serves it on loopback, to try the web app on.
"""

from __future__ import annotations

import hashlib
import random
import struct
import sys
import threading
import zlib
from dataclasses import dataclass, field
from functools import cache
from html import escape

import numpy as np

from growing_site import GrowingSite, Reply, Served

_BASES = {
    "barley soup": ("Soups", "pearl barley", "#c98a3b"),
    "leek and potato soup": ("Soups", "potatoes", "#9fb35a"),
    "roasted carrot soup": ("Soups", "carrots", "#e0822f"),
    "rye bread": ("Baking", "rye flour", "#8a5a34"),
    "apple cake": ("Baking", "plain flour", "#d9b25f"),
    "cheese scones": ("Baking", "self-raising flour", "#e3bf62"),
    "lentil stew": ("Mains", "green lentils", "#7d6b3d"),
    "mushroom risotto": ("Mains", "risotto rice", "#cbb68c"),
    "baked beans": ("Mains", "white beans", "#b5482e"),
    "beetroot salad": ("Salads", "beetroots", "#8e2b52"),
    "cucumber salad": ("Salads", "cucumbers", "#7fb069"),
    "tomato salad": ("Salads", "tomatoes", "#d4452f"),
}
_TWISTS = {
    "with thyme": ("thyme", "a few sprigs of"),
    "with smoked paprika": ("smoked paprika", "1 teaspoon"),
    "with brown butter": ("butter", "60 g"),
}
_PANTRY = ("2 onions", "1 clove of garlic", "2 tablespoons olive oil", "a pinch of salt", "500 ml vegetable stock", "1 lemon",
           "100 g cheddar", "1 bunch of parsley", "2 eggs", "150 ml cream", "1 tablespoon honey", "black pepper")  # fmt: skip
_COOKS = ("Ada Meadow", "Bruno Field", "Clara Hayward", "Dunstan Reaper")
_INTROS = (
    "We make this when the evenings draw in and the kitchen is the warmest room of the house.",
    "It takes little work and much patience, and it is even better on the second day.",
    "A dish for the table after mowing: plain, filling, and on the plate within the hour.",
    "My grandmother wrote this on the back of a seed packet. I have only changed the oven.",
)
STYLE = """
body{margin:0;background:#fdf8ef;color:#3a2e25;font:17px/1.6 Georgia,"DejaVu Serif",serif}
header{background:#5b3a29;color:#fff;padding:18px 32px}header a{color:#ffe9c9;margin-right:18px;text-decoration:none}
header strong{font-size:24px;margin-right:28px}main{max-width:860px;margin:28px auto;padding:0 24px}
h1{font-size:38px;line-height:1.15;margin:0 0 6px}.by{color:#8d7866}
.photo{float:right;width:380px;margin:0 0 18px 28px;border-radius:14px}
.facts{list-style:none;padding:0;display:flex;gap:22px}.facts b{display:block;font-size:13px;color:#8d7866;font-weight:normal}
.box{background:#fff3dc;border-radius:14px;padding:6px 24px;max-width:400px}li{margin:4px 0}.method li{margin:10px 0}
.grid{display:grid;grid-template-columns:repeat(3,1fr);gap:22px;list-style:none;padding:0}.grid img{width:100%;border-radius:12px}
.grid a{color:inherit;text-decoration:none;font-weight:bold}footer{clear:both;text-align:center;color:#8d7866;padding:40px}
"""


@dataclass(frozen=True)
class Dish:
    """One recipe."""

    slug: str
    title: str
    category: str
    cook: str
    intro: str
    serves: int
    prep: int
    cooking: int
    ingredients: tuple[str, ...]
    steps: tuple[str, ...]
    colour: str

    @classmethod
    def of(cls, base: str, twist: str) -> Dish:
        """The dish of a base and what is done to it, always the same."""
        title = f"{base} {twist}".capitalize()
        chance = random.Random(title)
        category, thing, colour = _BASES[base]
        spice, amount = _TWISTS[twist]
        pantry = chance.sample(_PANTRY, chance.randint(5, 8))
        lines = (
            f"{chance.randint(2, 9) * 50} g {thing}",
            f"{amount} {spice}".strip(),
            *pantry,
        )
        words = [
            line.split(" of ")[-1]
            .split(" ", 1)[-1]
            .removeprefix("g ")
            .removeprefix("ml ")
            for line in pantry
        ]
        minutes = chance.randint(8, 25)
        ways = (
            f"Wash and chop the {thing}, and warm the {words[0]} in a wide pan.",
            f"Put the {thing} and the {words[1]} into the pan and cook gently for {minutes} minutes, stirring now and then.",
            f"While that cooks, mix the {words[1]} with half of the {spice}.",
            f"Stir in the {spice} and the {words[2]}. Taste, and be generous.",
            f"Leave it alone for {minutes // 2} minutes: the {words[3]} needs them.",
            f"Fold the {words[3]} in with a light hand.",
            f"Heat the oven, and let the top brown for {minutes // 3} minutes.",
        )
        chosen = sorted(chance.sample(range(len(ways)), chance.randint(2, 5)))
        steps = (
            *(ways[place] for place in chosen),
            f"Finish with the {words[4]}, and bring it to the table hot.",
        )
        times = chance.randint(2, 5) * 5, chance.randint(3, 14) * 5
        return cls(title.lower().replace(" ", "-"), title, category, chance.choice(_COOKS), chance.choice(_INTROS),
                   chance.choice((2, 4, 6)), *times, lines, steps, colour)  # fmt: skip


DISHES = {
    dish.slug: dish
    for dish in (Dish.of(base, twist) for twist in _TWISTS for base in _BASES)
}


@dataclass
class DemoSite(GrowingSite):
    """The site; add to `notes` and the pages of these recipes have a section more."""

    notes: dict[str, str] = field(default_factory=dict)

    def reply(self, path: str, tag: str | None) -> Reply:
        """What is said to a request."""
        found = self._found(path)
        if found is None:
            return 404, {"Content-Type": "text/html"}, b"<h1>Not found</h1>"
        kind, body = found
        own = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        return (
            (304, {"ETag": own}, b"")
            if tag == own
            else (200, {"Content-Type": kind, "ETag": own}, body)
        )

    def _found(self, path: str) -> tuple[str, bytes] | None:
        folder, _, name = path.strip("/").partition("/")
        slug = name.rpartition(".")[0] or name
        if path == "/style.css":
            return "text/css", STYLE.encode()
        if folder == "pictures" and slug in DISHES:
            return "image/png", picture(slug)
        html = (
            self._home()
            if path == "/"
            else self._dish(DISHES[slug])
            if folder == "recipes" and slug in DISHES
            else None
        )
        if path == "/about":
            html = _page(
                "About us",
                "<h1>About us</h1><p>We mow in the morning and cook in the evening.</p>",
            )
        return None if html is None else ("text/html; charset=utf-8", html.encode())

    def _home(self) -> str:
        cards = "".join(
            f'<li><a href="/recipes/{dish.slug}"><img src="/pictures/{dish.slug}.png" alt="">{escape(dish.title)}</a></li>'
            for dish in DISHES.values()
        )
        return _page(
            "The mowers' kitchen", f"<h1>What we cook</h1><ul class=grid>{cards}</ul>"
        )

    def _dish(self, dish: Dish) -> str:
        ingredients = "".join(f"<li>{escape(line)}</li>" for line in dish.ingredients)
        steps = "".join(f"<li>{escape(line)}</li>" for line in dish.steps)
        facts = (("Serves", dish.serves), ("Prep time", f"{dish.prep} min"), ("Cook time", f"{dish.cooking} min"),
                 ("Category", dish.category))  # fmt: skip
        shown = "".join(f"<li><b>{name}</b> {value}</li>" for name, value in facts)
        note = (
            f"<h2>Tip</h2><p>{escape(self.notes[dish.slug])}</p>"
            if dish.slug in self.notes
            else ""
        )
        return _page(
            dish.title,
            f'<article><img class=photo src="/pictures/{dish.slug}.png" alt="{escape(dish.title)}"><h1>{escape(dish.title)}</h1>'
            f"<p class=by>by <span class=cook>{escape(dish.cook)}</span></p><p class=intro>{escape(dish.intro)}</p>"
            f"<ul class=facts>{shown}</ul><div class=box><h2>Ingredients</h2><ul class=ingredients>{ingredients}</ul></div>"
            f"<h2>Method</h2><ol class=method>{steps}</ol>{note}</article>",
        )


def _page(title: str, content: str) -> str:
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{escape(title)}</title><link rel=stylesheet href=/style.css></head><body>"
        f"<header><strong>The mowers' kitchen</strong><a href=/>Recipes</a><a href=/about>About us</a></header>"
        f"<main>{content}</main><footer>Made for trying things out. Nothing here has been cooked.</footer></body></html>"
    )


@cache
def picture(slug: str, width: int = 480, height: int = 360) -> bytes:
    """A dish on a plate on a table, seen from above, as a PNG."""
    chance = random.Random(slug)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float64)
    image = np.empty((height, width, 3))
    image[:] = np.array(
        _rgb(chance.choice(("#d8c3a5", "#cfd8c8", "#c9cdd6", "#e2cfc4")))
    )
    image *= (1 - 0.06 * ((columns // 40).astype(int) % 2))[..., None]

    def disc(
        x: float,
        y: float,
        radius: float,
        colour: tuple[float, float, float],
        blur: float = 1.5,
    ) -> None:
        top, left = max(int(y - radius), 0), max(int(x - radius), 0)
        piece = np.s_[top : int(y + radius) + 2, left : int(x + radius) + 2]
        share = np.clip(
            (radius - np.hypot(columns[piece] - x, rows[piece] - y)) / blur, 0, 1
        )[..., None]
        image[piece] = image[piece] * (1 - share) + np.array(colour) * share

    x, y, size = width / 2, height / 2, height * 0.42
    disc(x + 6, y + 10, size, (120, 105, 90), 26)
    disc(x, y, size, (250, 248, 242))
    disc(x, y, size * 0.83, (232, 228, 218))
    disc(x, y, size * 0.78, _rgb(DISHES[slug].colour))
    for _ in range(70):
        angle, far = chance.uniform(0, 6.283), size * 0.7 * chance.random() ** 0.5
        shade = chance.uniform(0.75, 1.25)
        colour = tuple(min(part * shade, 255.0) for part in _rgb(DISHES[slug].colour))
        disc(
            x + far * np.cos(angle),
            y + far * np.sin(angle),
            chance.uniform(5, 16),
            (colour[0], colour[1], colour[2]),
            3,
        )
    for _ in range(9):
        angle, far = chance.uniform(0, 6.283), size * 0.5 * chance.random()
        disc(
            x + far * np.cos(angle),
            y + far * np.sin(angle),
            chance.uniform(3, 7),
            (76, 130, 62),
            2,
        )
    return _png(np.clip(image, 0, 255).astype(np.uint8))


def _rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(colour[1:])
    return float(red), float(green), float(blue)


def _png(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> bytes:
    height, width, _ = image.shape
    lines = b"".join(b"\0" + image[row].tobytes() for row in range(height))

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data))
            + name
            + data
            + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(lines, 6))
        + chunk(b"IEND", b"")
    )


if __name__ == "__main__":
    with Served(DemoSite(), int(sys.argv[1]) if len(sys.argv) > 1 else 8765) as served:
        print(
            f"The demo site is at {served.url}/ until you stop it with Ctrl-C.",
            flush=True,
        )
        threading.Event().wait()
