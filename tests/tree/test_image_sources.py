"""Where an image is loaded from in the end, alike for records, documents and exported
spiders.
"""

from __future__ import annotations

import pytest

from scythe.tree import parse
from scythe.tree.images import LAZY_SOURCES, SOURCE_SETS, image_source
from scythe.wrappers.export.spider_runtime import values

IMAGES = [
    ("<img src=a.png>", "a.png"),
    ("<img src=' a.png '>", "a.png"),
    ("<img>", None),
    ("<img src=data:x>", None),
    ("<img src=a.png srcset='b.png 300w, c.png 900w'>", "a.png"),
    ("<img srcset='b.png 300w, c.png 900w'>", "b.png"),
    ("<img srcset=', ,b.png'>", "b.png"),
    ("<img src=data:x data-lazy-srcset='b.png'>", "b.png"),
    *[(f"<img src=blank.gif {name}=b.png>", "b.png") for name in LAZY_SOURCES],
    *[(f"<img src=data:x {name}='b.png 2x'>", "b.png") for name in SOURCE_SETS],
]


@pytest.mark.parametrize(("html", "source"), IMAGES)
def test_the_source_of_an_image(html: str, source: str | None) -> None:
    tree = parse(html)
    (node,) = [node for node in range(len(tree)) if tree.name(node) == "img"]
    assert image_source(tree.attributes(node)) == source


@pytest.mark.parametrize(("html", "source"), IMAGES)
def test_exported_spiders_take_the_same(html: str, source: str | None) -> None:
    root = pytest.importorskip("lxml.html").fromstring(f"<div>{html}</div>")
    (image,) = root.iter("img")
    assert values.image_source(image) == (source or "")
