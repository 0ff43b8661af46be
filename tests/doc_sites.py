"""The sites that the documentation speaks of, `https://wiki.example/` and others, on
one TLS server on loopback. Processes in pretend-public mode are led to it.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from growing_site import GrowingSite
from loopback import HTML, Reply
from small_engine import Item, SmallEngine
from tool_shed import TOOLS, no_result_page, result_page

EXAMPLES = Path(__file__).parent.parent / "examples"
PRODUCT = (
    "<!DOCTYPE html><html lang=en><head><title>Hay fork</title>"
    '<script type="application/ld+json">{"@context": "https://schema.org", '
    '"@type": "Product", "name": "Hay fork", "brand": {"name": "Hofwerk"}, '
    '"offers": {"price": "24.50", "priceCurrency": "USD", '
    '"availability": "https://schema.org/InStock"}}</script></head>'
    "<body><h1>Hay fork</h1><p>Three tines of forged steel on a shaft of ash.</p>"
    "</body></html>"
)
"""A page of one product."""

Site = Callable[[str], Reply]
"""Answers a path."""
NOT_FOUND: Reply = (404, {"Content-Type": HTML}, b"<h1>Not found</h1>")


def pages_site(pages: Mapping[str, bytes]) -> Site:
    """Return a site of some pages."""

    def answer(path: str) -> Reply:
        if path not in pages:
            return NOT_FOUND
        return 200, {"Content-Type": HTML}, pages[path]

    return answer


def engine_site(first: int, count: int) -> Site:
    """Return a search engine of some items."""
    engine = SmallEngine([Item(number) for number in range(first, first + count)])
    engine.stop_listening()

    def answer(path: str) -> Reply:
        parts = urlsplit(path)
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/robots.txt":
            return NOT_FOUND
        number = int(given.get("page", "0"))
        html = engine.page(given.get("q", ""), number) if given else engine.front()
        return 200, {"Content-Type": HTML}, html.encode()

    return answer


def shop(path: str) -> Reply:
    """Answer as the tool shed does."""
    parts = urlsplit(path)
    if parts.path == "/robots.txt":
        return NOT_FOUND
    query = parse_qs(parts.query).get("q", ["rake"])[0]
    names = TOOLS.get(query)
    html = result_page(query, names) if names else no_result_page(query)
    return 200, {"Content-Type": HTML}, html.encode()


def recipe_site() -> Site:
    """Return a site of recipes."""
    site = GrowingSite()
    site.grow(1, 12)
    return lambda path: site.reply(path, None)


class DocSites:
    """All sites, on one server; `certificate` is the file that clients must trust."""

    def __init__(self, folder: Path) -> None:
        article = (EXAMPLES / "harvest.html").read_bytes()
        self.sites: dict[str, Site] = {
            "courier.example": pages_site({"/barley": article}),
            "farm.example": pages_site({"/hay-fork": PRODUCT.encode()}),
            "wiki.example": engine_site(0, 300),
            "hay.example": engine_site(0, 300),
            "oats.example": engine_site(30, 300),
            "site.example": shop,
            "shop.example": shop,
            "recipes.example": recipe_site(),
            "films.example": recipe_site(),
            "hooks.example": lambda _: NOT_FOUND,
        }
        self.certificate = folder / "certificate.pem"
        _write_certificate(self.certificate, list(self.sites))
        handler = type("Handler", (_Handler,), {"sites": self.sites})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            daemon=True,
        )

    @property
    def environment(self) -> dict[str, str]:
        """What processes need to get here, besides pretend-public mode."""
        port = self._server.server_address[1]
        trusted = str(self.certificate)
        return {"PRETEND_TLS_PORT": str(port), "SSL_CERT_FILE": trusted}

    def __enter__(self) -> DocSites:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    sites: dict[str, Site]

    def do_GET(self) -> None:
        name = (self.headers.get("Host") or "").partition(":")[0]
        status, headers, body = self.sites[name](self.path)
        try:
            self.send_response(status)
            for header, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(header, value)
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""


def _write_certificate(path: Path, names: list[str]) -> None:
    """Write a certificate of some hosts, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    now = datetime.now(UTC)
    hosts = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(hosts, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
