"""`scythe.extract`: one call, a status with every answer, the same answer every time."""

import gc
import json
import weakref

import pytest

import scythe
from scythe.content.selection import Selection
from scythe.errors import UsageError
from scythe.tree import Limits, Tree

STORY = (
    "<p>They cut the barley at dawn, rested at noon, and went on until the light was gone.</p>"
    * 30
)


def test_an_unknown_method_is_refused_with_the_names_of_the_known() -> None:
    with pytest.raises(UsageError, match=r"auto, .*econ"):
        scythe.extract("<p>x", method="magic")


def test_a_method_of_ones_own() -> None:
    def headings(tree: Tree) -> Selection:
        return Selection(
            tree.below(tree.tag == tree.tag[tree.first_element("h1") or 0]),
            confidence=1.0,
        )

    document = scythe.extract("<h1>Only this</h1><p>not that</p>", method=headings)
    assert document.text == "Only this"
    assert document.method == "headings"


def test_status_ok() -> None:
    assert scythe.extract(STORY).status == "ok"


@pytest.mark.parametrize(
    "html", ["", " \n ", "<html><body><div></div></body></html>", b"\x00\x00"]
)
def test_status_empty(html: str | bytes) -> None:
    document = scythe.extract(html)
    assert document.status == scythe.Status.EMPTY
    assert document.text == document.markdown == ""


def test_status_shell() -> None:
    page = "<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript><script src=/app.js></script>"
    assert scythe.extract(page).status == scythe.Status.SHELL


@pytest.mark.parametrize(
    "body",
    ["One, two. " * 40, "<p>One, two.</p>" * 40, "&lt;p&gt;One, two.&lt;/p&gt;" * 40],
)
def test_status_embedded_where_only_the_structured_data_has_the_text(body: str) -> None:
    data = json.dumps(
        {"@type": "NewsArticle", "headline": "Barley", "articleBody": body}
    )
    page = f"<title>Barley</title><div id=root></div><script type=application/ld+json>{data}</script><script src=/app.js></script>"
    document = scythe.extract(page)
    assert document.status == scythe.Status.EMBEDDED
    assert (
        document.text.count("One, two.") == document.markdown.count("One, two.") == 40
    )
    assert document.title == "Barley"


def test_structured_data_does_not_replace_visible_content() -> None:
    data = json.dumps({"@type": "NewsArticle", "articleBody": "Other words. " * 40})
    document = scythe.extract(
        f"<script type=application/ld+json>{data}</script><main>{STORY}</main>"
    )
    assert document.status == scythe.Status.OK
    assert "Other words" not in document.text


def test_status_blocked() -> None:
    page = "<title>Just a moment...</title><h1>example.org</h1><p>Verify you are human by doing this.</p><script>1</script>"
    assert scythe.extract(page).status == scythe.Status.BLOCKED
    assert scythe.extract("<h1>Just a moment</h1>" + STORY).status == scythe.Status.OK


def test_status_truncated_names_the_limit() -> None:
    document = scythe.extract(STORY, limits=Limits(max_bytes=2_000))
    assert document.status == scythe.Status.TRUNCATED
    assert document.cut == ("bytes",)


def test_all_renderings_and_plain_data() -> None:
    document = scythe.extract(
        f"<html lang=en><head><title>Barley</title></head><body><main><h1>Barley</h1>{STORY}</main></body></html>"
    )
    data = document.to_dict()
    assert data["title"] == document.title == "Barley"
    assert data["language"] == "en"
    assert data["status"] == "ok"
    assert data["method"] == document.method
    for rendering in ("text", "markdown", "html"):
        assert data[rendering].count("rested at noon") == 30


def test_bytes_text_and_a_declared_charset_agree() -> None:
    text = "<p>" + "Après la récolte, on se repose à l’ombre. " * 30 + "</p>"
    assert (
        scythe.extract(text).text
        == scythe.extract(text.encode("cp1252"), charset="windows-1252").text
    )


def test_a_page_is_forgotten_with_its_document() -> None:
    words = "<p>The meadow is mown before the dew has dried on it.</p>" * 5
    figure = "<figure><img src=hay.jpg><figcaption>Hay</figcaption></figure>"
    document = scythe.extract(f"<article><h1>Hay</h1>{words}{figure}</article>")
    assert "Hay" in document.markdown
    tree = weakref.ref(document.tree)
    gc.disable()  # nothing must wait until circles are looked for
    try:
        del document
        assert tree() is None
    finally:
        gc.enable()
