"""Pages in a real Chromium: the tree that parsing gives, with boxes; bounds, faults and
what is left behind.
"""

from __future__ import annotations

import math
import struct
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from loopback import Loopback
from markup import pages
from odd_pages import ODD_PAGES
from scythe.errors import RenderError
from scythe.render import OFFLINE, Browser, RenderOptions
from scythe.tree import parse
from trees import assert_agree, box_of, node_of, text_of

SCRIPTED = RenderOptions(scripts=True, network_idle_timeout=0)
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


# The same tree


@pytest.mark.parametrize("page", ODD_PAGES.values(), ids=ODD_PAGES.keys())
def test_rendered_and_parsed_trees_agree(browser: Browser, page: str) -> None:
    assert_agree(browser.render(page), parse(page))


@settings(max_examples=30)
@given(
    page=pages.map(lambda page: page.replace("\0", ""))
)  # Chromium drops a NUL before it decides where <body> begins
def test_random_markup_gives_the_parsed_tree(browser: Browser, page: str) -> None:
    assert_agree(browser.render(page), parse(page))


@pytest.mark.parametrize(
    ("page", "charset"),
    [
        ("<meta charset=utf-8><p>Füße".encode("latin-1"), None),
        ("<meta charset=gbk><p>收割".encode("gbk"), None),
        ("<meta charset=latin-1><p>Füße".encode("koi8-r", "replace"), "koi8-r"),
        ("<p>Füße".encode("utf-16"), None),
    ],
)
def test_bytes_are_decoded_as_the_parser_does(
    browser: Browser, page: bytes, charset: str | None
) -> None:
    assert_agree(browser.render(page, charset=charset), parse(page, charset=charset))


def test_attributes_by_name_are_those_of_the_parsed_tree(browser: Browser) -> None:
    page = "<ul class=a><li class='b c' hidden>x<li><a href=/y>z</a></ul>"
    drawn, parsed = browser.render(page), parse(page)
    for name in ("class", "hidden", "href", "absent"):
        assert drawn.attribute(name) == parsed.attribute(name)
        assert drawn.attribute_values(name, [0, 3, 4]) == parsed.attribute_values(
            name, [0, 3, 4]
        )


# Boxes and layout


def test_elements_and_texts_have_boxes_where_they_are_drawn(browser: Browser) -> None:
    tree = browser.render(
        "<!doctype html><body style='margin:0'><div id=a style='width:300px;height:40px'></div>"
        "<div id=b style='margin-left:50px'><span id=c>text</span></div><p id=d style='display:none'>none</p>"
    )
    assert tree.box is not None
    assert box_of(tree, "a") == [0, 0, 300, 40]
    assert box_of(tree, "b")[:3] == [50, 40, 1230]
    assert all(math.isnan(side) for side in box_of(tree, "d"))
    assert tree.box[node_of(tree, "c") + 1].tolist() == box_of(tree, "c")
    assert tree.box.dtype == np.float32


def test_a_text_has_a_row_for_each_of_its_lines(browser: Browser) -> None:
    tree = browser.render(
        "<!doctype html><p style='width:200px;margin:0'>  one\n two 😀<br>three  <b>four</b> five<pre>six\nseven</pre>"
    )
    assert tree.layout is not None
    lines = tree.layout.lines
    shown = [
        tree.text[node][start : start + length].split()
        for node, start, length in zip(
            lines.node, lines.start, lines.length, strict=True
        )
    ]
    assert shown == [
        ["one", "two", "😀"],
        ["three"],
        ["four"],
        ["five"],
        ["six"],
        ["seven"],
    ]
    assert lines.y[0] < lines.y[1] == lines.y[2] == lines.y[3] < lines.y[4] < lines.y[5]
    assert lines.x[1] < lines.x[2] < lines.x[3]
    assert (lines.width > 0).all()


def test_long_text_is_broken_into_lines_that_follow_one_another(
    browser: Browser,
) -> None:
    tree = browser.render("<!doctype html><p>" + "wörter und 😀 zeichen " * 8_000)
    assert tree.layout is not None
    assert tree.box is not None
    lines = tree.layout.lines
    (text,) = np.flatnonzero(tree.is_text)
    assert (lines.node == text).all()
    stops = lines.start + lines.length
    assert all(
        tree.text[text][stop:start].isspace()
        for stop, start in zip(stops[:-1], lines.start[1:], strict=True)
        if stop < start
    )
    assert (np.diff(lines.start) > 0).all()
    assert (np.diff(lines.y) > 0).all()
    assert stops[-1] >= len(tree.text[text]) - 1
    assert tree.box[text][3] == pytest.approx(
        lines.y[-1] + lines.height[-1] - lines.y[0], abs=1
    )


def test_fonts_and_colours(browser: Browser) -> None:
    tree = browser.render(
        "<p style='font-size:20px;color:#10203080'>a<b>b</b></p><i style='color:color(srgb 1 0 0)'>c</i><title>t</title>"
    )
    layout = tree.layout
    assert layout is not None
    rows = {tree.text[node]: node for node in np.flatnonzero(tree.is_text)}
    assert [float(layout.font_size[rows[text]]) for text in "abc"] == [20, 20, 16]
    assert [int(layout.font_weight[rows[text]]) for text in "abct"] == [
        400,
        700,
        400,
        0,
    ]
    assert [int(layout.color[rows[text]]) for text in "abct"] == [
        0x10203080,
        0x10203080,
        0xFF0000FF,
        0,
    ]
    assert math.isnan(layout.font_size[rows["t"]])


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "visibility:hidden",
        "opacity:0",
        "position:absolute;left:-9999px",
        "position:absolute;top:-9999px",
        "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)",
        "height:0;overflow:hidden",
        "color:transparent",
    ],
)
def test_what_styles_hide_is_not_visible(browser: Browser, style: str) -> None:
    tree = browser.render(
        f"<!doctype html><style>.x{{{style}}}</style><p>seen</p><div class=x><div>hidden</div></div>"
    )
    assert tree.layout is not None
    assert "".join(tree.text[tree.layout.visible]) == "seen"


def test_the_doctype_decides_on_standards_mode(browser: Browser) -> None:
    page = "<div id=a style='width:100'>x</div>"
    assert box_of(browser.render(page), "a")[2] == 100
    assert box_of(browser.render("<!doctype html>" + page), "a")[2] > 1000


def test_the_window_decides_how_wide_the_page_is(browser: Browser) -> None:
    for width in (400, 1600, 400):
        tree = browser.render(
            "<!doctype html><body style='margin:0'>x",
            options=RenderOptions(viewport=(width, 300)),
        )
        assert tree.box is not None
        assert tree.box[0][2] == width


def test_a_picture_has_the_size_of_the_whole_page(browser: Browser) -> None:
    picture = browser.screenshot(
        "<!doctype html><body style='margin:0'><div style='height:3000px'>",
        options=RenderOptions(viewport=(640, 480)),
    )
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (640, 3000)


# What a page may do


def test_given_pages_run_no_scripts_unless_allowed(browser: Browser) -> None:
    page = "<p>static<script>document.body.append(' dynamic')</script><noscript>fallback</noscript>"
    assert "fallback" in text_of(browser.render(page))
    assert text_of(browser.render(page)).count("dynamic") == 1
    assert text_of(browser.render(page, options=SCRIPTED)).count("dynamic") == 2


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("document.documentElement.replaceWith(document.createElement('div'))", ""),
        ("document.body.append('a', '', 'b', new Comment('c'), 'd')", "abd"),
        (
            "document.body.attachShadow({mode: 'open'}).innerHTML = '<p>shadow</p>'",
            "shadow",
        ),
        (
            "h.attachShadow({mode: 'closed'}).innerHTML = '<b>before </b><slot name=s></slot>'",
            "before light",
        ),
    ],
)
def test_what_scripts_make_is_the_tree(
    browser: Browser, script: str, text: str
) -> None:
    light = "<p id=h><i slot=s>light</i></p>" if "light" in text else ""
    page = f"<title></title><body>{light}<script>{script};document.currentScript?.remove()</script>"
    tree = browser.render(page, options=SCRIPTED)
    assert text_of(tree) == text
    assert tree.end[0] == len(tree)


def test_a_page_that_removes_itself_is_an_error(browser: Browser) -> None:
    with pytest.raises(RenderError, match="left nothing of it"):
        browser.render(
            "<script>document.documentElement.remove()</script>", options=SCRIPTED
        )


def test_given_pages_reach_no_server_unless_allowed(
    browser: Browser, web: Loopback
) -> None:
    web.add("/style.css", b"#a{width:123px}", "text/css")
    page = (
        f"<!doctype html><link rel=preconnect href={web.url('/')}><link rel=dns-prefetch href={web.url('/')}>"
        f"<link rel=stylesheet href=/style.css><link rel=prefetch href={web.url('/p')}><img src={web.url('/i')}>"
        f"<iframe src={web.url('/f')}></iframe><script src={web.url('/s')}></script><object data={web.url('/o')}></object>"
        f"<script>fetch('{web.url('/x')}');new WebSocket('ws://127.0.0.1:{web.port}/w')</script><div id=a>x</div>"
    )
    for options in (OFFLINE, SCRIPTED):
        assert (
            box_of(browser.render(page, url=web.url("/page"), options=options), "a")[2]
            > 1000
        )
    assert web.asked == []
    tree = browser.render(
        page, url=web.url("/page"), options=RenderOptions(network=True)
    )
    assert box_of(tree, "a")[2] == 123
    asked = {path for path, _ in web.asked}
    assert {"/style.css", "/i", "/f"} <= asked
    assert not {"/page", "/x", "/w"} & asked


def test_pages_share_nothing(browser: Browser, web: Loopback) -> None:
    counting = "localStorage.n = 1 + (+localStorage.n || 0)"
    page = f"<p>x<script>document.cookie='a=1'; document.body.append({counting}, ' ', document.cookie)</script>"
    options = replace(SCRIPTED, network=True)
    for _ in range(2):
        assert text_of(
            browser.render(page, url=web.url("/page"), options=options)
        ).endswith("1 a=1")
