"""Pictures that show nothing do not come out; those that say something do, however
small or frequent.
"""

import pytest

import scythe
from scythe.content.selection import Selection
from scythe.tree import Tree
from scythe.tree.visibility import visible

SENTENCES = (
    "They cut the barley at dawn, rested at noon, and went on until the light was gone."
)


def everything(tree: Tree) -> Selection:
    return Selection(visible(tree), confidence=1.0)


def markdown_of(*parts: str) -> str:
    body = "".join(parts)
    html = f"<html><body><article><p>{SENTENCES}</p>{body}<p>In the evening, all of it was under a roof, and {SENTENCES}</p></article></body></html>"
    document = scythe.extract(html, "https://example.org/barley", method=everything)
    assert len(document.media) == document.markdown.count("![")
    return document.markdown


@pytest.mark.parametrize(
    "picture",
    [
        '<img src="/p.php?id=7" width="1" height="1">',
        '<img src="/line.png" width="600px" height="2">',
        '<img src="/images/clear.gif">',
        '<img src="/static/grey-placeholder.png?v=3" alt="">',
        '<img src="/u/17.png" width="24" height="24" alt="">',
        '<img class="quote_avatar" src="/u/17.png" width="128" height="128">',
        '<img class="card-icon" src="/sickle.svg" alt="">',
    ],
)
def test_ornament_is_left_out(picture: str) -> None:
    line = f"<p>{picture} The oats, too, were dry, and so was the hay.</p>"
    markdown = markdown_of(line)
    assert "![" not in markdown
    assert "\nThe oats, too, were dry, and so was the hay.\n" in markdown


@pytest.mark.parametrize(
    "picture",
    [
        '<img src="/field.jpg">',
        '<img src="/field.jpg" width="0" height="0">',
        '<img src="/field.jpg" width="100%" height="2em">',
        '<img src="/field.jpg" width="640" height="48">',
        '<img src="/pixel-art.png">',
        '<img src="/lexicon.png" class="lexicon" alt="">',
        '<img src="/smile.png" class="emoji" width="20" height="20" alt="🙂">',
    ],
)
def test_picture_stays(picture: str) -> None:
    line = f"<p>{picture} The oats, too, were dry, and so was the hay.</p>"
    assert markdown_of(line).count("![") == 1


def test_bullet_that_is_a_picture_is_left_out() -> None:
    bullet = '<img src="/check.svg" alt="Check">'
    lines = [
        "One is the barley.",
        "Two is the oats.",
        "Three is the hay.",
        "Four, rye.",
    ]
    items = [f"<li>{bullet} {line}</li>" for line in lines]
    markdown = markdown_of("<ul>", *items, "</ul>")
    assert "![" not in markdown
    assert "- One is the barley.\n- Two is the oats.\n" in markdown


@pytest.mark.parametrize("alternative", ["🙂", ":scythe:", "4 of 5 stars"])
def test_repeated_picture_that_speaks_stays(alternative: str) -> None:
    picture = f'<img src="/s.png" alt="{alternative}">'
    lines = [
        f"<p>{picture} So said number {number}, loudly.</p>" for number in range(5)
    ]
    assert markdown_of(*lines).count("![") == 5


def test_marks_in_a_table_stay() -> None:
    mark = '<img src="/yes.png" alt="Yes">'
    rows = [f"<tr><td>Field {name}</td><td>{mark}</td></tr>" for name in "ABCDE"]
    head = "<tr><th>Field</th><th>Cut</th></tr>"
    assert markdown_of("<table>", head, *rows, "</table>").count("![Yes]") == 5


def test_small_picture_of_a_figure_stays() -> None:
    picture = '<img src="/seed.png" width="40" height="40">'
    figure = f"<figure>{picture}<figcaption>A seed of barley.</figcaption></figure>"
    assert markdown_of(figure).count("![") == 1
