"""LBDA cuts pages into blocks, knows advertisement servers, and what the pages of a
site share.
"""

from pathlib import Path

import pytest

import scythe
from scythe.content.methods.ad_servers import AdServers
from scythe.content.methods.lbda import Degree, Lbda, degrees
from scythe.content.methods.site_tree import SiteTree
from scythe.errors import UsageError
from scythe.tree import parse

SENTENCE = "They cut the barley at dawn, rested at noon, and went on until the light was gone. "
NAVIGATION = (
    "<ul>"
    + "".join(f"<li><a href='/{n}'>Section {n}</a></li>" for n in range(12))
    + "</ul>"
)


def page(story: str, extra: str = "") -> str:
    main = f"<div id=main><h1>{story}</h1><p>{story}: {SENTENCE * 3}</p>{extra}<p>{SENTENCE * 2}</p></div>"
    return f"<body>{NAVIGATION}{main}{NAVIGATION}</body>"


def test_the_heaviest_gathering_node_is_the_content() -> None:
    text = scythe.extract(page("Barley"), method="lbda").text
    assert text.count("rested at noon") == 5
    assert "Section" not in text


def test_degrees_by_the_four_rules() -> None:
    tree = parse(
        "<body><div id=a><p>x<b>y</b></p></div><div id=b>x<i>y</i></div><div id=c>x</div><div id=r></div></body>"
    )
    by_id = {
        name: degree
        for name, degree in zip(
            tree.attribute("id"), degrees(tree).tolist(), strict=True
        )
        if name
    }
    assert by_id == {"a": Degree.A, "b": Degree.B, "c": Degree.C, "r": Degree.REMOVED}
    assert degrees(tree)[tree.first_element("i") or 0] == Degree.NOT_GATHERING


def test_text_beside_blocks_is_a_block_of_its_own() -> None:
    body = f"<body><div>{SENTENCE * 4}<div><a href='/x'>only a link here</a></div>{SENTENCE * 4}</div></body>"
    text = scythe.extract(body, method="lbda").text
    assert text.count("barley") == 8
    assert "link" not in text


def test_what_an_advertisement_server_sends_is_left_out() -> None:
    advertisement = f"<div><a href='https://ads.doubleclick.net/x?y'>{SENTENCE}</a> <span>{SENTENCE}</span></div>"
    with_list = scythe.extract(page("Barley", advertisement), method="lbda").text
    assert with_list.count("rested at noon") == 6


def test_lists_of_servers_in_three_formats(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    lines = [
        "# hosts",
        "0.0.0.0 ads.example",
        "127.0.0.1 localhost",
        "||tracker.example^$third-party",
        "! note",
    ]
    path.write_text("\n".join([*lines, "plain.example", "@@||good.example^"]))
    servers = AdServers.read(path)
    assert servers.hosts == {"ads.example", "tracker.example", "plain.example"}
    assert "cdn.ADS.example" in servers
    assert "badads.example" not in servers
    assert "ads.example" in (servers | AdServers.known())
    assert "googlesyndication.com" in AdServers.known()


@pytest.mark.parametrize("content", [None, "", "# nothing\n"])
def test_a_list_that_cannot_be_used_says_what_to_give(
    tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "list.txt"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError, match="Give"):
        AdServers.read(path)


def test_what_pages_of_a_site_share_is_noise() -> None:
    promotion = f"<p>Subscribe to the Sheaf now, for news, views and recipes, every week. {SENTENCE}</p>"
    pages = [page(name, promotion) for name in ("Barley", "Wheat", "Oats")]
    alone = scythe.extract(pages[0], method="lbda").text
    site = Lbda(site=SiteTree.merge(map(parse, pages)))
    together = scythe.extract(pages[0], method=site).text
    assert "Subscribe" in alone
    assert "Subscribe" not in together
    assert "Barley" in together


def test_white_space_between_chosen_texts_stays() -> None:
    code = "<pre><b>from</b> <i>field</i> <b>import</b> <i>barley</i>\n<b>mow</b>(<i>barley</i>)</pre>"
    body = f"<body><div><p>{SENTENCE * 3}</p>{code}<p><a href='/a'>one</a> <a href='/b'>two</a>: {SENTENCE * 3}</p></div></body>"
    text = scythe.extract(body, method="lbda").text
    assert "from field import barley\nmow(barley)" in text
    assert "one two: They" in text


def test_a_link_in_a_sentence_beside_blocks_stays() -> None:
    line = "See <a href='/almanac'>the almanac</a> for more about the barley of this year, or <b><a href='/us'>write</a></b> to us."
    body = f"<body><div>{line}<p>{SENTENCE * 4}</p>{line}<br><a href='/x'>only a link here</a></div></body>"
    assert scythe.extract(body, method="lbda").text.splitlines() == [
        "See the almanac for more about the barley of this year, or write to us.",
        (SENTENCE * 4).strip(),
        "See the almanac for more about the barley of this year, or write to us.",
    ]
