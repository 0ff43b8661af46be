"""Threads come out post by post, list pages item by item, in every structured format."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scythe.content.document import Document
from scythe.content.extract import build_document
from scythe.content.selection import Selection
from scythe.content.structures.threads import select_posts
from scythe.tree import Tree, parse
from scythe.tree.text import visible_text

POST = """<li class="post"><div class="head"><a class="username" href="/users/{n}">{author}</a>
<time datetime="2024-06-0{n}T10:00:00Z">June {n}</time></div><div class="body">{body}</div>
<div class="links"><a href="/r">Reply</a> <a href="/q">Quote</a></div></li>"""
QUOTED = '<div class="quote">Ida wrote: which soil do you have there?</div>'
BODIES = (
    "<p>My beans do not come up, see <a href='/photo'>this photo</a>.</p><p>Why?</p>",
    "<p>Which soil do you have there? Mine is sand and the beans love it.</p>",
    f"{QUOTED}<p>It is clay, as heavy as it gets around here.</p>",
)
AUTHORS = ("Ada", "Ida", "Ada")


def thread() -> Tree:
    numbered = enumerate(zip(AUTHORS, BODIES, strict=True), 1)
    posts = [
        POST.format(n=number, author=author, body=body)
        for number, (author, body) in numbered
    ]
    return parse(f"<nav>Boards</nav><h1>Beans</h1><ol>{''.join(posts)}</ol>")


def bodies_of(tree: Tree) -> Selection:
    """Return a selection of the texts alone, as a method makes it that misses names."""
    nodes = np.zeros(len(tree), dtype=bool)
    for node, value in tree.with_attribute("class").items():
        if value == "body":
            nodes |= tree.subtree(node)
    nodes &= tree.is_text
    return Selection(nodes, confidence=0.8, page_type="forum")


def thread_document() -> Document:
    tree = thread()
    selection = select_posts(tree, bodies_of(tree))
    return build_document(tree, selection, "learned", "https://forum.example/t/1")


def test_plain_text_has_author_time_and_text_of_every_post() -> None:
    assert thread_document().text.splitlines()[:5] == [
        "Ada June 1",
        "My beans do not come up, see this photo.",
        "Why?",
        "Ida June 2",
        "Which soil do you have there? Mine is sand and the beans love it.",
    ]


def test_what_stands_around_the_posts_of_a_forum_is_left_out() -> None:
    tree = thread()
    bodies = bodies_of(tree)
    with_menu = replace(bodies, nodes=bodies.nodes | (tree.text == "Boards"))
    document = build_document(tree, select_posts(tree, with_menu), "learned", None)
    assert document.text == thread_document().text


def test_markdown_is_written_post_by_post_with_quotes_as_quotes() -> None:
    markdown = thread_document().markdown
    assert (
        "**Ada** · June 1\n\n"
        "My beans do not come up, see [this photo](https://forum.example/photo).\n\n"
        "Why?\n\n"
        "**Ida** · June 2\n\n"
    ) in markdown
    assert "> Ida wrote: which soil do you have there?\n\nIt is clay" in markdown
    assert "Reply" not in markdown


def test_posts_have_author_time_and_text_apart() -> None:
    posts = thread_document().posts
    assert [post.author for post in posts] == ["Ada", "Ida", "Ada"]
    assert posts[0].time == "2024-06-01T10:00:00Z"
    assert posts[0].text == "My beans do not come up, see this photo.\nWhy?"
    assert posts[2].markdown.startswith("> Ida wrote:")


def test_json_carries_posts_beside_the_text() -> None:
    posts = thread_document().to_dict()["posts"]
    assert posts[1]["author"] == "Ida"
    assert posts[1]["level"] == 0


def test_html_has_an_element_of_its_own_for_quotes() -> None:
    assert "<blockquote>" in thread_document().html


def test_an_article_with_comments_is_no_thread() -> None:
    posts = "".join(
        POST.format(n=n, author=author, body="<p>Fine.</p>")
        for n, author in enumerate(AUTHORS, 1)
    )
    story = "<p>The council met for six hours and decided nothing at all.</p>" * 9
    tree = parse(f"<article>{story}</article><ol>{posts}</ol>")
    selection = Selection(tree.is_text.copy(), confidence=0.8, page_type="article")
    assert select_posts(tree, selection) is selection


ITEM = """<div class="card"><h3><a href="/p/{n}">Seed packet {n}</a></h3>
<p>Two hundred seeds of sort number {n}, for light soil.</p><span class="price">{n}.50 €</span>
<button>Add to basket</button></div>"""


def list_document() -> Document:
    items = "".join(ITEM.format(n=number) for number in range(1, 9))
    tree = parse(f"<h1>Seeds</h1><p>All seeds.</p><div class='grid'>{items}</div>")
    in_button = tree.below(tree.tag == tree.code("button"))
    nodes = tree.is_text & ~in_button
    selection = Selection(nodes, confidence=0.8, page_type="listing")
    return build_document(tree, selection, "learned", "https://shop.example/")


def test_records_of_a_list_page_stand_beside_its_text() -> None:
    document = list_document()
    records = document.to_dict()["records"]
    assert len(records) == 8
    assert records[0]["link"] == "https://shop.example/p/1"
    assert "1.50 €" in records[0]["text"]
    assert document.posts == ()


def test_a_list_page_is_a_list_in_markdown() -> None:
    markdown = list_document().markdown
    assert "- [Seed packet 1](https://shop.example/p/1)\n" in markdown
    assert markdown.count("\n- [Seed packet") == 8
    assert "  Two hundred seeds of sort number 2, for light soil." in markdown
    assert "Add to basket" not in markdown


def test_rows_of_a_table_stay_a_table() -> None:
    rows = "".join(
        f"<tr><td><a href='/{n}'>Sort {n}</a></td><td>{n}.50 €</td></tr>"
        for n in range(1, 9)
    )
    tree = parse(f"<table><tr><th>Sort<th>Price</tr>{rows}</table>")
    selection = Selection(tree.is_text.copy(), confidence=0.8, page_type="listing")
    document = build_document(tree, selection, "learned", None)
    assert "| Sort | Price |" in document.markdown


def test_other_pages_have_neither() -> None:
    tree = parse("<h1>News</h1><p>It rained for two days.</p>")
    selection = Selection(tree.is_text.copy(), confidence=0.8, page_type="article")
    document = build_document(tree, selection, "learned", None)
    assert document.posts == ()
    assert document.records == ()
    assert visible_text(tree) == document.text
