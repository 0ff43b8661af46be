"""Pages that scripts build are opened in a browser, and only these."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from growing_site import GrowingSite, Served
from pretend_public import PublicScythe, public_url
from scythe.collect.collection import Collection
from scythe.collect.crawl import shells
from scythe.collect.crawl.hosts import AllowedHosts
from scythe.collect.crawl.shells import ShellRenderer, is_shell
from scythe.render import RenderOptions, browser_available
from scythe.store.collections.pages import FetchResult
from scythe.store.states import FetchOutcome
from scythe.tree import Tree, parse

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


HOSTILE_SHELL = """<!DOCTYPE html><html><head><title>App</title></head><body><script>
for (const name of ["127.0.0.1", "localhost", "inside.example"]) {{
  const at = `http://${{name}}:{port}/secret`;
  fetch(at, {{mode: "no-cors"}}).catch(() => 0);
  new WebSocket(at.replace("http", "ws"));
  const frame = document.createElement("iframe");
  frame.src = at;
  document.body.append(frame);
}}
{more}</script></body></html>"""


@pytest.mark.skipif(
    not browser_available(), reason="there is no browser on this machine"
)
def test_a_shell_of_the_public_web_reaches_no_private_machine(tmp_path: Path) -> None:
    """By its frames, requests and sockets, or by leaving for a private page."""
    site = GrowingSite()
    site.grow(1, 6)
    scythe = PublicScythe(tmp_path / "scythe.db")
    with Served(site) as served:
        port = urlsplit(served.url).port
        secret = "<p>The secret of a private machine, at some length.</p>" * 20
        site.extra["/secret"] = (200, HTML, secret.encode())
        leaving = f'location = "http://127.0.0.1:{port}/secret";'
        for slug, more in zip(list(site.recipes)[:2], ("", leaving), strict=True):
            page = HOSTILE_SHELL.format(port=port, more=more)
            site.extra[site.path(slug)] = (200, HTML, page.encode())
        home = public_url(f"{served.url}/")
        settings = ("--name", "kitchen", "--kind", "recipe", "--delay", "0.01")
        scythe.run("collect", "add", home, *settings)
        scythe.run("collect", "run", "kitchen")
    asked = [path for path, _ in site.asked]
    pages = [site.path(slug) for slug in list(site.recipes)[:2]]
    assert all(asked.count(path) > 1 for path in pages)  # the browser, too
    assert "/secret" not in asked


class RecordingBrowser:
    """Stands for a browser, and keeps the options that it is given."""

    def __init__(self) -> None:
        self.options: list[RenderOptions] = []

    def open(self, url: str, *, options: RenderOptions) -> Tree:
        self.options.append(options)
        return parse("<p>words</p>")


@pytest.mark.parametrize(
    ("home", "private", "public_only"),
    [
        ("https://site.example/", False, True),
        ("http://127.0.0.1/", False, False),
        ("https://site.example/", True, False),
    ],
)
def test_a_name_that_leads_inside_by_now_opens_no_door(
    monkeypatch: pytest.MonkeyPatch, home: str, private: bool, public_only: bool
) -> None:
    """Between the crawler's request and the browser's a name may change its number."""
    browser = RecordingBrowser()
    monkeypatch.setattr(shells, "is_own_network", lambda url: True)
    monkeypatch.setattr(shells, "browser_available", lambda: True)
    monkeypatch.setattr(shells, "Browser", lambda: browser)
    renderer = ShellRenderer(AllowedHosts(home, private=private))
    body = b"<div id=app></div><script src=app.js></script>"
    renderer.rendered(FetchResult(1, FetchOutcome.OK, final_url=home, body=body))
    assert [options.public_only for options in browser.options] == [public_only]
