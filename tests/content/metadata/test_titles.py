"""Titles: the page's own, not the site's name, and nothing that stands beside it."""

import pytest

from scythe.content.metadata import read_metadata
from scythe.tree import parse


def read_title(html: str) -> str | None:
    return read_metadata(parse(html), "https://www.example.org/a/page.html").title


@pytest.mark.parametrize(
    ("html", "title"),
    [
        (
            (
                "<title>Knots - Which holds best? | Rope Talk</title>"
                "<h1><span class='label label--new'>Knots</span>&nbsp;Which holds best?</h1>"
            ),
            "Which holds best?",
        ),
        (
            (
                "<title>Bowline or Ropery? The two compared</title>"
                "<h1><a href=https://ropery.example/>Ropery</a></h1>"
            ),
            "Bowline or Ropery? The two compared",
        ),
        (
            (
                "<title>Shop.example: Hemp rope of 12 mm : Boats</title>"
                "<h1>Hemp rope of 12 mm</h1><h1>About this item</h1>"
            ),
            "Hemp rope of 12 mm",
        ),
        (
            (
                "<title>&lt;table&gt;: The Table element</title>"
                "<h1>&lt;table&gt;: The Table element</h1>"
            ),
            "<table>: The Table element",
        ),
        ("<h1>Hemp<br>rope</h1>", "Hemp rope"),
        ("<table><td><font><title>Hemp rope</title>", "Hemp rope"),
    ],
    ids=["label", "home", "within", "element", "break", "title-in-body"],
)
def test_what_a_heading_has_beside_the_title(html: str, title: str) -> None:
    assert read_title(html) == title


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>How to sail - Example</title>", "How to sail"),
        ("<title>Example: How to sail</title>", "Example: How to sail"),
        ("<title>Example » How to sail</title>", "How to sail"),
        (
            "<title>How to sail | Boats | Harbour News</title><meta property=og:site_name content='Harbour News'>",
            "How to sail",
        ),
        (
            "<title>Sailing at night - a guide - Harbour</title><h1>Harbour</h1><h1>Sailing at night - a guide</h1>",
            "Sailing at night - a guide",
        ),
        (
            "<title>Sail away: 9 tips for a first trip</title><h1>Nine tips for a first trip, sail away</h1>",
            "Nine tips for a first trip, sail away",
        ),
        (
            "<title>Cloud storage for teams | Example</title><h1>Work happier.</h1>",
            "Cloud storage for teams",
        ),
        (
            "<title>Real title</title><h1 style='display: none'>Real title of the menu</h1>",
            "Real title",
        ),
        ("<svg><title>icon</title></svg><h1>Only a heading</h1>", "Only a heading"),
        (
            "<meta property=og:title content='From the &lt;b&gt;head&lt;/b&gt; - Example'>",
            "From the head",
        ),
        (
            "<script type=application/ld+json>{'@type': 'Article', 'headline': 'From data'}</script>",
            "From data",
        ),
    ],
)
def test_the_title_is_that_of_the_content(html: str, title: str) -> None:
    assert read_title(html) == title


@pytest.mark.parametrize(
    ("html", "title"),
    [
        (
            "<title>Knots in brief - Manual</title><h1>Knots in brief<a href=#k>¶</a></h1>",
            "Knots in brief",
        ),
        (
            (
                "<title>Knots in brief | Ropes</title>"
                "<h1>Knots in brief <button>Save this page</button></h1>"
            ),
            "Knots in brief",
        ),
        ("<title>Menu</title><h1><button>Knots and bends</button></h1>", "Menu"),
        ("<h1><button>Knots and bends</button></h1>", "Knots and bends"),
        (
            (
                "<title>Which knot holds best? | Rope Talk</title>"
                "<h1><i>Thread:</i> Which knot holds best?</h1>"
            ),
            "Which knot holds best?",
        ),
        (
            (
                "<title>Which knot holds best? - Rope Talk</title>"
                "<h1>Which knot holds best? <span>(rope.test) 87</span></h1>"
            ),
            "Which knot holds best?",
        ),
        (
            (
                "<title>Which knot holds best | Rope Talk</title>"
                "<h1>Which knot holds best: bends tested</h1>"
            ),
            "Which knot holds best: bends tested",
        ),
        (
            "<title>Knots of 2026 | Rope Talk</title><h1>The knots of 2026</h1>",
            "The knots of 2026",
        ),
    ],
    ids=[
        "permalink",
        "button",
        "a-button-in-other-words",
        "only-a-button",
        "words-before",
        "element-after",
        "subtitle-stays",
        "article-stays",
    ],
)
def test_a_heading_is_cut_to_the_title_that_it_has(html: str, title: str) -> None:
    assert read_title(html) == title


@pytest.mark.parametrize(
    ("html", "title"),
    [
        (
            (
                "<title>Tying a bowline - The Book of Knots</title>"
                "<h1>The Book of Knots</h1><h2>Keys</h2><h2>Tying a bowline</h2>"
            ),
            "Tying a bowline",
        ),
        (
            (
                "<title>Tying a bowline - The Book of Knots</title>"
                "<h1>The Book of Knots</h1><h1>Tying a bowline</h1>"
            ),
            "Tying a bowline",
        ),
        (
            (
                "<title>Example • View topic - Is a bowline safe?</title>"
                "<h2>Is a bowline safe?</h2>"
            ),
            "Is a bowline safe?",
        ),
        (
            (
                "<title>Bowline - Overview | Guild of Rope Makers</title>"
                "<h2>Guild of Rope Makers</h2>"
            ),
            "Bowline",
        ),
    ],
    ids=["book", "book-with-two-h1", "forum", "name-of-an-undeclared-site"],
)
def test_a_part_of_the_title_that_stands_on_the_page_is_the_title(
    html: str, title: str
) -> None:
    assert read_title(html) == title


@pytest.mark.parametrize(
    ("html", "title"),
    [
        (
            (
                "<title>A Rope Diary: Week two</title>"
                "<meta property=og:title content='Week two'>"
            ),
            "Week two",
        ),
        (
            (
                "<title>New to Example - where to begin? - Feedback - Example</title>"
                "<meta property=og:title content='New to Example - where to begin?'>"
            ),
            "New to Example - where to begin?",
        ),
        (
            (
                "<title>Week two of ropes | Example - Example shop</title>"
                "<meta property=og:title content='Week two of ropes | Example'>"
            ),
            "Week two of ropes",
        ),
        (
            (
                "<title>Example Rope - Long and strong - Example</title>"
                "<h1>Example Rope - Long and strong</h1>"
            ),
            "Example Rope - Long and strong",
        ),
        (
            (
                "<title>How to splice | Ropes | Guild</title>"
                "<meta property=og:site_name content='How to splice | Ropes | Guild'>"
                "<h1>How to splice</h1>"
            ),
            "How to splice",
        ),
    ],
    ids=["end", "beginning", "site-at-its-end", "maker", "title-as-site-name"],
)
def test_what_declared_titles_share_is_the_title(html: str, title: str) -> None:
    assert read_title(html) == title
