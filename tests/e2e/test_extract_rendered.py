"""Pages that are built by script, through a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import scythe
from loopback import Loopback
from scythe.cli.main import app
from scythe.render import Browser, RenderOptions

SENTENCE = "They cut the barley at dawn, rested at noon, and went on until dark."
SCRIPT = """
document.title = 'Barley';
fetch('/story.txt').then(answer => answer.text()).then(text => {
  for (let day = 1; day < 30; day++) {
    const paragraph = document.createElement('p');
    paragraph.textContent = 'On day ' + day + ': ' + text;
    document.getElementById('app').append(paragraph);
  }
});
"""
SHELL = f"<html lang=en><main id=app></main><script>{SCRIPT}</script></html>"


@pytest.fixture
def site(web: Loopback, browser: Browser) -> Loopback:
    web.add("/robots.txt", b"", "text/plain", 404)
    web.add("/shell", SHELL.encode())
    web.add("/story.txt", SENTENCE.encode(), "text/plain")
    return web


def extracted(*arguments: str, exit_code: int = 0) -> dict[str, object]:
    result = CliRunner().invoke(app, ["extract", "-f", "json", *arguments])
    assert result.exit_code == exit_code, result.stderr
    values: dict[str, object] = json.loads(result.stdout)
    return values


def test_a_shell_is_rendered_where_that_is_asked_for(site: Loopback) -> None:
    url = site.url("/shell")
    plain = extracted(url, exit_code=1)
    assert (plain["status"], plain["origin"]) == ("shell", "page")
    for arguments in ([url, "--render"], ["--render", url], ["--render", "auto", url]):
        values = extracted(*arguments)
        assert (values["status"], values["origin"]) == ("ok", "rendered")
        assert str(values["text"]).count(SENTENCE) == 29


def test_auto_renders_shells_only(site: Loopback) -> None:
    values = extracted(site.url("/mowing"), "--render", "auto")
    assert values["origin"] == "page"


def test_html_that_is_given_is_rendered_as_of_its_address(site: Loopback) -> None:
    document = scythe.extract(SHELL, site.url("/elsewhere"), render=True)
    assert document.origin == "rendered"
    assert document.text.count(SENTENCE) == 29
    assert "/elsewhere" not in [path for path, _ in site.asked]
    # without an address it reaches no server
    assert SENTENCE not in scythe.extract(SHELL, render=True).text


def test_a_page_may_be_kept_from_private_machines(
    site: Loopback, browser: Browser
) -> None:
    options = RenderOptions(scripts=True, network=True, public_only=True)
    tree = browser.render(SHELL, url=site.url("/shell"), options=options)
    assert not [text for text in tree.text.tolist() if SENTENCE in text]
    assert "/story.txt" not in [path for path, _ in site.asked]


def test_pages_of_one_site_are_not_rendered(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(SHELL)
    result = CliRunner().invoke(app, ["extract", str(page), "--same-site", "--render"])
    assert result.exception is not None
