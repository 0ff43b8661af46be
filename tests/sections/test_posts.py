"""Posts of threads in the markup of several kinds of forum programs."""

from __future__ import annotations

import numpy as np
import pytest

from scythe.sections.posts import Post, find_posts
from scythe.sections.posts.times import is_time
from scythe.tree import Tree, parse
from scythe.tree.text import plain_text

AUTHORS = ("Marlene", "old_oak", "Tomé", "Marlene")
BODIES = (
    "My tomatoes split as soon as it rains. What do I do wrong?",
    "Water them evenly, they burst when they get too much at once.",
    "Mulch helps too. I use straw, two hands deep, from June on.",
    "Thank you both, I will try the straw this summer.",
)
PAGE = """<html><body><nav><a href="/">Home</a><a href="/new">New posts</a></nav>
<h1>Split tomatoes</h1>{posts}<footer>Rules and imprint</footer></body></html>"""

DIVISIONS = """<article class="message message--post js-post" id="p{n}">
<div class="message-user"><a href="/members/{author}.{n}/" class="username">{author}</a>
<h5 class="userTitle">Member</h5><dl class="pairs"><dt>Joined</dt><dd>May 3, 2011</dd></dl></div>
<div class="message-main"><time datetime="2024-06-0{n}T10:00:00Z">Jun {n}, 2024</time>
<div class="bbWrapper">{body}</div><div class="signature">Grow slow</div>
<footer><a href="#r">Like</a> <a href="#q">Reply</a></footer></div></article>"""

TABLE = """<tr class="row{n}"><td class="side"><b class="postauthor">{author}</b><br>Posts: 17{n}</td>
<td><span class="postdetails">Posted: Sat Jun 0{n}, 2024 10:00 am</span><hr>
<span class="postbody">{body}</span></td></tr>"""

TWO_ROWS = """<tr><td><a href="profile.php?u={n}">{author}</a></td><td>0{n}.06.2024, 10:00</td></tr>
<tr><td></td><td><p>{body}</p></td></tr>"""

NOSCRIPT = """<div class="topic-body crawler-post"><div class="crawler-post-meta">
<span class="creator" itemprop="author"><a itemprop="url" href="https://forum.example/u/{author}">
<span itemprop="name">{author}</span></a></span>
<span class="crawler-post-infos"><time datetime="2024-06-0{n}T10:00:00Z">June {n}, 2024</time>
<span itemprop="position">{n}</span></span></div>
<div class="post" itemprop="text"><p>{body}</p></div><span>{n} Likes</span></div>"""

ANSWERS = """<div class="answer" data-id="{n}"><div class="votes"><button>up</button><span>1{n}</span>
</div><div class="js-post-body"><p>{body}</p></div><div class="user-action-time">answered
<span title="2024-06-0{n} 10:00:00Z" class="relativetime">Jun {n} at 10:00</span></div>
<div class="user-details"><a href="/users/4{n}/x">{author}</a><span>1,2{n}4</span></div></div>"""

UNNAMED = """<dl><dt><strong>{author}</strong></dt><dd>vor {n} Stunden</dd>
<dd class="text"><p>{body}</p><p>So war das.</p></dd></dl>"""

STYLES = {
    "divisions": "<div>{}</div>",
    "table": "<table>{}</table>",
    "two rows": "<table>{}</table>",
    "noscript": "<noscript><div>{}</div></noscript>",
    "answers": "<div>{}</div>",
    "unnamed": "<div>{}</div>",
}
POSTS = {
    "divisions": DIVISIONS,
    "table": TABLE,
    "two rows": TWO_ROWS,
    "noscript": NOSCRIPT,
    "answers": ANSWERS,
    "unnamed": UNNAMED,
}


def thread(style: str) -> Tree:
    pairs = zip(AUTHORS, BODIES, strict=True)
    posts = [
        POSTS[style].format(n=number, author=author, body=body)
        for number, (author, body) in enumerate(pairs, 1)
    ]
    return parse(PAGE.format(posts=STYLES[style].format("".join(posts))))


def body_text(tree: Tree, post: Post) -> str:
    chosen = np.zeros(len(tree), dtype=bool)
    chosen[post.body] = True
    return plain_text(tree, chosen)


@pytest.mark.parametrize("style", POSTS)
def test_every_post_comes_with_author_time_and_text(style: str) -> None:
    tree = thread(style)
    posts = find_posts(tree)
    assert [post.author for post in posts] == list(AUTHORS)
    assert all(post.time for post in posts)
    texts = [body_text(tree, post) for post in posts]
    for text, body in zip(texts, BODIES, strict=True):
        assert text.startswith(body)


@pytest.mark.parametrize("style", ["divisions", "table", "noscript", "answers"])
def test_what_stands_around_the_text_of_a_post_is_no_part_of_it(style: str) -> None:
    tree = thread(style)
    assert [body_text(tree, post) for post in find_posts(tree)] == list(BODIES)


def test_the_time_is_the_one_for_machines_where_there_is_one() -> None:
    assert find_posts(thread("divisions"))[0].time == "2024-06-01T10:00:00Z"
    assert find_posts(thread("two rows"))[0].time == "01.06.2024, 10:00"


def comment(name: str, answers: str = "") -> str:
    return f"""<li class="comment depth-1"><div><cite class="fn">{name}</cite>
    <a href="#c"><time datetime="2024-05-02">2 May 2024</time></a><div class="text">
    <p>{name} says something about the harvest of this year.</p></div>
    <a href="#r">Reply</a></div><ul class="children">{answers}</ul></li>"""


def test_answers_to_answers_know_their_level() -> None:
    inner = comment("Bo", comment("Cem"))
    tree = parse(f"<ol>{comment('Ann', inner)}{comment('Dee')}</ol>")
    posts = find_posts(tree)
    assert [post.author for post in posts] == ["Ann", "Bo", "Cem", "Dee"]
    assert [post.level for post in posts] == [0, 1, 2, 0]
    assert (
        body_text(tree, posts[0])
        == "Ann says something about the harvest of this year."
    )


def test_quotes_are_known_and_their_names_are_not_the_authors() -> None:
    quote = (
        '<blockquote class="quote"><cite class="username">old_oak</cite> said: '
        "water them evenly</blockquote>"
    )
    posts = "".join(
        DIVISIONS.format(
            n=n,
            author=f"Reader {n}",
            body=f"{quote} I did so, and they split all the same, number {n} of many.",
        )
        for n in range(1, 4)
    )
    tree = parse(PAGE.format(posts=posts))
    found = find_posts(tree)
    assert [post.author for post in found] == ["Reader 1", "Reader 2", "Reader 3"]
    assert [len(post.quotes) for post in found] == [1, 1, 1]


def test_a_blockquote_around_a_whole_post_is_no_quote() -> None:
    posts = "".join(
        DIVISIONS.format(n=n, author=f"R{n}", body=f"<blockquote>{body}</blockquote>")
        for n, body in enumerate(BODIES, 1)
    )
    assert not any(post.quotes for post in find_posts(parse(PAGE.format(posts=posts))))


def test_an_opening_post_of_other_markup_comes_first() -> None:
    opening = """<div class="question"><p>How deep do I plant garlic in heavy soil?</p>
    <span>asked <time datetime="2024-05-01">May 1, 2024</time> by
    <a href="/users/9/ida">Ida</a></span></div>"""
    answers = "".join(
        ANSWERS.format(n=n, author=author, body=body)
        for n, (author, body) in enumerate(zip(AUTHORS, BODIES, strict=True), 1)
    )
    tree = parse(PAGE.format(posts=f"<div>{opening}<div>{answers}</div></div>"))
    posts = find_posts(tree)
    assert posts[0].author == "Ida"
    assert len(posts) == 5


def test_pages_without_threads_have_no_posts() -> None:
    assert (
        find_posts(parse("<h1>News</h1><p>It rained.</p><p>Then it stopped.</p>")) == ()
    )
    assert find_posts(parse("")) == ()


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-02 10:00", "02.05.2024, 10:00", "May 2, 2024", "2nd May 2024, 16:26",
        "3 hours ago", "2d ago", "vor 3 Stunden", "il y a 2 jours", "hace 5 minutos",
        "há 2 dias", "2 часа назад", "3 天前", "2024年5月2日", "Yesterday, 10:15 PM",
        "Posted on 5/2/24 at 10:00", "gestern um 10:00",
    ],
)  # fmt: skip
def test_dates_of_many_languages_are_recognized(text: str) -> None:
    assert is_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "Member since May 2011", "1,234 posts", "Reply", "12",
        "We met on May 2, 2024 and went to the sea and never came back",
    ],
)  # fmt: skip
def test_other_short_texts_are_no_dates(text: str) -> None:
    assert not is_time(text)
