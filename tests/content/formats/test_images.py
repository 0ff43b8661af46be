"""Images: the true address behind lazy loading and responsive sources."""

import pytest
from rendering import html_of, markdown

from scythe.content.formats.markdown import to_markdown
from scythe.tree import parse
from scythe.tree.images import parse_srcset

BASE = "https://example.org/news/"

SOURCES = [
    ("<img src=a.png>", "a.png"),
    ("<img src=a.png srcset='b.png 300w, c.png 900w, d.png 600w'>", "a.png"),
    ("<img srcset='b.png 300w, c.png 900w, d.png 600w'>", "c.png"),
    ("<img src=spacer.gif srcset='b.png, c.png 2x'>", "c.png"),
    ("<img srcset='w_1,h_2/b.png 10w, w_3,h_4/c.png 20w'>", "w_3,h_4/c.png"),
    ("<img src=data:image/gif;base64,AA data-src=b.png>", "b.png"),
    ("<img src=blank.gif data-src=b.png>", "b.png"),
    ("<img src=data:x data-srcset='b.png 1x, c.png 2x'>", "c.png"),
    ("<img src=data:x data-original=b.png>", "b.png"),
    (
        "<picture><source srcset='b.webp 100w, c.webp 800w'><img src=a.png></picture>",
        "a.png",
    ),
    (
        "<picture><source srcset='b.webp 1x, c.webp 2x'><img src=data:x></picture>",
        "c.webp",
    ),
    ("<img src=a.png data-src=b_{width}x.png>", "a.png"),
    ("<picture><source srcset='b.webp'><img src=data:x></picture>", "b.webp"),
    ("<img src=data:x><noscript><img src=b.png></noscript>", "b.png"),
    ("<img data-src=b.png><noscript><img src=b.png></noscript>", "b.png"),
]


@pytest.mark.parametrize(("html", "expected"), SOURCES)
def test_best_source(html: str, expected: str) -> None:
    assert markdown(f"<p>{html}</p>") == f"![]({BASE}{expected})"


@pytest.mark.parametrize(
    "html",
    [
        "<img>",
        "<img src=''>",
        "<img src=data:x>",
        "<img src=javascript:x>",
        "<img src=mailto:a@b.example>",
    ],
)
def test_images_without_an_address_are_left_out(html: str) -> None:
    assert markdown(f"<p>{html}</p>") == ""
    assert html_of(f"<p>{html}</p>") == ""


def test_alternative_text_is_escaped_and_on_one_line() -> None:
    assert markdown("<img src=a alt='x]\n *y*'>") == f"![x\\] \\*y\\*]({BASE}a)"


def test_images_stand_where_they_stood() -> None:
    assert markdown("<p>a <img src=b> c</p>") == f"a ![]({BASE}b) c"


def test_an_image_that_is_not_chosen_is_not_written() -> None:
    tree = parse("<p>a <img src=b> c</p>")
    assert to_markdown(tree, tree.is_text) == "a c"


def test_srcset() -> None:
    assert parse_srcset("a.png 1.5x,  b.png 2x") == [(1.5, "a.png"), (2.0, "b.png")]
    assert parse_srcset("a.png") == [(1.0, "a.png")]
    assert parse_srcset(", ,a.png wide,") == [(1.0, "a.png")]
    assert parse_srcset(None) == []
