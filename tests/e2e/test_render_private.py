"""A hostile page in the browser reaches no private machine, whatever it tries."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopback import HTML, Loopback
from pretend_public import PublicScythe, public_url
from scythe.render import Browser

TRIES = """
<html><head><title>A page of the public web</title></head><body>
<p id=story>Nothing came.</p>
<img src="{private}/secret/img"><iframe src="{private}/secret/frame"></iframe>
<iframe src="{inside}/secret/inside"></iframe><iframe src="/redirect"></iframe>
<link rel=stylesheet href="{private}/secret/style"><script src="{private}/secret/script"></script>
<link rel=preconnect href="{private}"><link rel=dns-prefetch href="{private}">
<script>
  const tried = [];
  const attempt = (name, action) => {{ try {{ action(); }} catch (error) {{ tried.push(name); }} }};
  attempt("fetch", () => fetch("{private}/secret/fetch", {{mode: "no-cors"}}).catch(() => 0));
  attempt("redirect", () => fetch("/redirect", {{mode: "no-cors"}}).catch(() => 0));
  attempt("request", () => {{ const r = new XMLHttpRequest(); r.open("GET", "{private}/secret/xhr"); r.send(); }});
  attempt("beacon", () => navigator.sendBeacon("{private}/secret/beacon", "x"));
  attempt("socket", () => new WebSocket("{private}/secret/socket".replace("http", "ws")));
  attempt("events", () => new EventSource("{private}/secret/events"));
  attempt("window", () => window.open("{private}/secret/window"));
  attempt("worker", () => new Worker(URL.createObjectURL(new Blob(["fetch('{private}/secret/worker', {{mode: 'no-cors'}})"]))));
  attempt("call", () => {{ const c = new RTCPeerConnection({{iceServers: [{{urls: "turn:127.0.0.1:{port}?transport=tcp", username: "a", credential: "b"}}]}});
    c.createDataChannel("x"); c.createOffer().then(o => c.setLocalDescription(o)); }});
  fetch("/story").then(r => r.text()).then(t => {{ document.getElementById("story").textContent = t; }});
</script></body></html>"""


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::ffff:127.0.0.1]"])
def test_a_hostile_page_reaches_no_private_machine(
    browser: Browser, web: Loopback, tmp_path: Path, name: str
) -> None:
    private = f"http://{name}:{web.port}"
    inside = f"http://inside.example:{web.port}"
    page = TRIES.format(private=private, inside=inside, port=web.port)
    web.add("/page", page.encode())
    web.add("/story", b"The whole story came by script. " * 30, "text/plain")
    web.add("/redirect", b"", HTML, 302, Location=f"{private}/secret/redirect")

    scythe = PublicScythe(tmp_path / "scythe.db")
    url = public_url(web.url("/page"))
    shown = scythe.run("extract", url, "--render", "--ignore-robots")
    assert "The whole story came by script" in shown
    assert {path for path, _ in web.asked} <= {
        "/page",
        "/story",
        "/redirect",
        "/favicon.ico",
    }


def test_a_page_that_leads_inside_is_refused_with_a_reason(
    browser: Browser, web: Loopback, tmp_path: Path
) -> None:
    web.add("/moved", b"", HTML, 302, Location=web.url("/mowing"))
    scythe = PublicScythe(tmp_path / "scythe.db")
    done = scythe(
        "extract", public_url(web.url("/moved")), "--render", "--ignore-robots"
    )
    assert done.returncode == 1
    assert "of its network" in done.stderr
    assert "/mowing" not in [path for path, _ in web.asked]
