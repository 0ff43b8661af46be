"""Comments of readers: in or out, on pages that have some under a text."""

from __future__ import annotations

import pytest

import scythe
from scythe.content.options import CommentChoice
from scythe.content.selection import Selection
from scythe.content.structures.comments import find_comments
from scythe.tree.text import plain_text
from scythe.tree.visibility import visible

ARTICLE = (
    "<h1>Barley</h1><p>The harvest was late, and the mills are waiting for it.</p>"
)
COMMENTS = "<h2>2 comments</h2><p>Ada: Nice words.</p><form><p>Your name</p></form>"


def text_of(
    html: str, comments: CommentChoice, page_type: str | None = "article"
) -> str:
    """The text where everything but comments is selected by the method, and those too
    where they should go.
    """

    def select(tree: scythe.Tree) -> Selection:
        nodes = visible(tree) & tree.is_text
        if comments == "in":
            nodes &= ~find_comments(tree)
        return Selection(nodes, 1.0, page_type)

    options = scythe.ExtractOptions(comments=comments)
    return scythe.extract(html, method=select, options=options).text


@pytest.mark.parametrize(
    "section",
    [
        f"<div id=comments>{COMMENTS}</div>",
        f'<section class="post-commentList">{COMMENTS}</section>',
        f"<div>{COMMENTS}</div>",
    ],
)
def test_comments_go_in_or_out_as_asked(section: str) -> None:
    page = f"<body class=comments-open>{ARTICLE}{section}<p>After.</p></body>"
    without = text_of(page, "out")
    assert "harvest" in without
    assert "Nice words" not in without
    assert "After" in without
    within = text_of(page, "in")
    assert "Nice words" in within
    assert "Your name" not in within


@pytest.mark.parametrize(
    "heading",
    [
        "12 Comments",
        "Comments (3)",
        "Leave a Reply",
        "3 thoughts on Barley",
        "Kommentare",
        "Schreibe einen Kommentar",
        "4 commentaires",
        "Deja un comentario",
        "Комментарии (5)",
        "网友评论",
        "コメント",
    ],
)
def test_headings_over_comments(heading: str) -> None:
    page = f"{ARTICLE}<div><h3>{heading}</h3><div><p>First!</p></div></div>"
    tree = scythe.parse(page)
    assert plain_text(tree, find_comments(tree)) == f"{heading}\nFirst!"


@pytest.mark.parametrize("heading", ["Comments from the minister", "Discussion of rye"])
def test_other_headings_are_none(heading: str) -> None:
    tree = scythe.parse(f"{ARTICLE}<h3>{heading}</h3><p>He said nothing.</p>")
    assert not find_comments(tree).any()


@pytest.mark.parametrize("page_type", ["forum", "product", "listing"])
def test_posts_and_reviews_are_no_comments(page_type: str) -> None:
    page = f"{ARTICLE}<div class=comments>{COMMENTS}</div>"
    assert "Nice words" in text_of(page, "out", page_type)


def test_a_page_of_nothing_but_comments_is_a_thread() -> None:
    page = (
        "<div class=comment><p>One post.</p></div><div class=comment><p>Two.</p></div>"
    )
    assert "One post" in text_of(page, "out", None)


def test_comments_in_code_are_the_code() -> None:
    line = 'cut() <span class="token comment">// the barley, not the oats</span>'
    html = f"{ARTICLE}<pre><code>{line}</code></pre>"
    assert "cut() // the barley, not the oats" in text_of(html, "out")
