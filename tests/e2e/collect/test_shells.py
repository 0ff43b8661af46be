"""Pages that scripts build are opened in a browser, and only these."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from growing_site import GrowingSite, Served
from scythe.collect.collection import Collection
from scythe.collect.crawl.shells import is_shell
from scythe.render import browser_available

HTML = {"Content-Type": "text/html; charset=utf-8"}


def test_shells_are_told_by_their_bytes() -> None:
    assert is_shell(
        b"<html><body><div id=app></div><script src=app.js></script></body></html>"
    )
    assert not is_shell(b"<html><body><div id=app></div></body></html>")
    assert not is_shell(b"<script>x</script>" + b"<p>Words and words.</p>" * 50)


@pytest.mark.skipif(
    not browser_available(), reason="there is no browser on this machine"
)
def test_a_page_that_a_script_builds_is_rendered_and_says_so(tmp_path: Path) -> None:
    site = GrowingSite()
    site.grow(1, 6)
    slug = list(site.recipes)[2]
    built = json.dumps(
        site._recipe(site.recipes[slug]).partition("<body>")[2].partition("</body>")[0]
    )
    script = f"<script>document.body.innerHTML = {built}</script>"
    page = f"<!DOCTYPE html><html><head><title>App</title></head><body>{script}</body></html>"
    site.extra[site.path(slug)] = (200, HTML, page.encode())
    with (
        Served(site) as served,
        Collection.add(
            f"{served.url}/", "kitchen", "recipe", db=f"sqlite:///{tmp_path / 'x.db'}"
        ) as collection,
    ):
        collection.run()
        collection.accept_suggestions()
        assert collection.counts() == {"ok": 6}
        pages = {page.url: page.rendered for page in collection._context.pages.all()}
        assert [url for url, rendered in pages.items() if rendered] == [
            served.url + site.path(slug)
        ]
