"""A small market of our own: goods with a price and a table of properties, half of their
pictures missing, events with a date, articles to be read. What real sites of these kinds have, on a few lines each.
"""

from __future__ import annotations

from dataclasses import dataclass

from loopback import Loopback

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154"
    "78da6360606060000000050001a5f645400000000049454e44ae426082"
)
"""A picture."""
GOODS = 8
EVENTS = 8
ARTICLES = 8
WOODS = ("oak", "ash", "elm", "yew", "fir", "pine", "birch", "cedar")
TOWNS = ("Chur", "Zug", "Stans", "Sarnen", "Brig", "Thun", "Uri", "Glarus")


@dataclass
class Market:
    """The pages of the market; once `is_renewed`, goods say how long they last."""

    web: Loopback
    is_renewed: bool = False

    def open(self) -> None:
        """Serve all pages as they are now."""
        for number in range(1, GOODS, 2):
            self.web.add(f"/rake-{number}.png", PIXEL, "image/png")
        self._add("goods", [self._product(number) for number in range(GOODS)])
        self._add("events", [self._event(number) for number in range(EVENTS)])
        self._add("news", [self._article(number) for number in range(ARTICLES)])

    def _add(self, folder: str, pages: list[tuple[str, str]]) -> None:
        links = ""
        for number, (title, body) in enumerate(pages):
            path = f"/{folder}/{number}.html"
            links += f"<li><a href={path}>{title}</a></li>"
            page = (
                f"<!doctype html><html lang=en><title>{title}</title>"
                f"<nav><a href=/{folder}/>All</a></nav><main><h1>{title}</h1>{body}</main>"
                "<footer>A market, open on Saturdays</footer>"
            )
            self.web.add(path, page.encode())
        listed = f"<title>{folder}</title><h1>All {folder}</h1><ul>{links}</ul>"
        self.web.add(f"/{folder}/", listed.encode())

    def _product(self, number: int) -> tuple[str, str]:
        wood = WOODS[number]
        renewed = f"<p>Lasts {number + 2} years</p>" if self.is_renewed else ""
        return f"Rake of {wood}", (
            f"<img src=/rake-{number}.png alt='A rake'><p class=price>€ {number + 20}.50</p>"
            f"<table><tr><th>Brand</th><td>{wood.title()} & Sons</td></tr>"
            f"<tr><th>SKU</th><td>R-{number + 100}</td></tr>"
            f"<tr><th>Weight</th><td>{number + 1}.5 kg</td></tr></table>{renewed}"
            f"<p>A rake whose teeth are made of {wood}, for hay that was cut at dawn.</p>"
        )

    def _event(self, number: int) -> tuple[str, str]:
        town = TOWNS[number]
        price = f"€ {number}" if number else "Free"
        return f"Mowing in {town}", (
            f"<dl><dt>Date</dt><dd>2027-05-{number + 10}</dd><dt>Location</dt>"
            f"<dd>{town}</dd><dt>Price</dt><dd>{price}</dd></dl>"
            f"<p>We mow the meadows around {town} and rest when the dew is gone.</p>"
        )

    def _article(self, number: int) -> tuple[str, str]:
        wood = WOODS[number]
        told = "".join(
            f"<p>Part {part} tells what {wood} is good for, and why handles of {wood} "
            f"are made in the winter, when the sap is low and there is time.</p>"
            for part in range(1, 4)
        )
        return f"What {wood} taught us", (
            f"<p>By <span class=author>Ann {wood.title()}</span></p>{told}"
        )
