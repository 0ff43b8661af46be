"""A hostile page in the browser reaches no private machine, whatever it tries."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from loopback import HTML, Loopback
from pretend_public import PublicScythe, public_url
from scythe.render import Browser, RenderOptions

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


CALLS = """
<html><head><title>A page that calls</title></head><body><p id=story>Nothing came.</p><script>
  const port = {port}, hosts = ["127.0.0.1", "localhost", "[::1]", "{own}"];
  const servers = hosts.flatMap(host => [
    {{urls: `stun:${{host}}:${{port}}`}},
    {{urls: ["udp", "tcp"].map(kind => `turn:${{host}}:${{port}}?transport=${{kind}}`)
      .concat(`turns:${{host}}:${{port}}`), username: "a", credential: "b"}}]);
  for (const server of servers) {{
    const call = new RTCPeerConnection({{iceServers: [server]}});
    call.createDataChannel("x");
    call.createOffer().then(offer => call.setLocalDescription(offer));
  }}
  async function connect() {{
    const one = new RTCPeerConnection(), other = new RTCPeerConnection();
    one.createDataChannel("x");
    await one.setLocalDescription(await one.createOffer());
    await other.setRemoteDescription(one.localDescription);
    await other.setLocalDescription(await other.createAnswer());
    await one.setRemoteDescription(other.localDescription);
    for (const host of hosts) for (const kind of ["udp", "tcp"])
      await one.addIceCandidate({{sdpMid: "0", sdpMLineIndex: 0, candidate:
        `candidate:1 1 ${{kind}} 2122260223 ${{host}} ${{port}} typ host` +
        (kind === "tcp" ? " tcptype passive" : "")}}).catch(() => 0);
  }}
  connect();
  try {{ new WebTransport(`https://127.0.0.1:${{port}}/x`).ready.catch(() => 0); }} catch (error) {{ }}
  let turns = 0;
  const asking = setInterval(() => {{
    fetch("/story").then(r => r.text(), () => "A story without a server. ".repeat(30)).then(text => {{
      if (turns++ < 8) return;
      clearInterval(asking); document.getElementById("story").textContent = text;
    }});
  }}, 250);
</script></body></html>"""


class Listener:
    """What takes datagrams and connections at every address of this machine."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._datagrams = self._socket(socket.SOCK_DGRAM)
        self.port: int = self._datagrams.getsockname()[1]
        self._connections = self._socket(socket.SOCK_STREAM)
        self._connections.listen()

    def _socket(self, kind: socket.SocketKind) -> socket.socket:
        opened = self._open.enter_context(socket.socket(socket.AF_INET6, kind))
        opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        opened.bind(("::", getattr(self, "port", 0)))
        opened.setblocking(False)
        return opened

    def heard(self) -> list[str]:
        """Return what was sent here."""
        found = []
        for name, ask in (
            ("a datagram", lambda: self._datagrams.recv(4096)),
            ("a connection", self._connections.accept),
        ):
            try:
                ask()
                found.append(name)
            except BlockingIOError:
                pass
        return found

    def close(self) -> None:
        self._open.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    listening = Listener()
    yield listening
    listening.close()


def own_address() -> str:
    """Return the address by which this machine reaches others."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def test_calls_between_browsers_reach_no_private_machine(
    browser: Browser, web: Loopback, listener: Listener, tmp_path: Path
) -> None:
    page = CALLS.format(port=listener.port, own=own_address())
    web.add("/page", page.encode())
    web.add("/story", b"The whole story came by script. " * 30, "text/plain")

    scythe = PublicScythe(tmp_path / "scythe.db")
    url = public_url(web.url("/page"))
    shown = scythe.run("extract", url, "--render", "--ignore-robots")
    assert "The whole story came by script" in shown
    assert listener.heard() == []


def test_calls_of_a_page_without_a_network_reach_nothing(
    browser: Browser, listener: Listener
) -> None:
    page = CALLS.format(port=listener.port, own=own_address())
    options = RenderOptions(scripts=True, settle_timeout=5, network_idle_timeout=3)
    tree = browser.render(page, url="https://kitchen.example/", options=options)
    assert listener.heard() == []
    assert "A page that calls" in tree.text
