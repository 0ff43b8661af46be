"""Which requests are let in: one middleware through which every request goes.

The app has no users, and does what it is asked to; so all that matters is that the
person in front of it asks. A page that this person opens elsewhere must not get in:
it cannot use another name for this machine (Host), send forms from its own origin
(Origin, Sec-Fetch-Site), nor forge one of ours (CSRF). From other machines nobody gets
in without the token. And whatever gets out carries a policy that lets nothing run or
load but our own files.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scythe.web.server.forms import CSRF, FORM, Form, form
from scythe.web.server.guesses import Guesses
from scythe.web.server.rendering import error_page, is_api, page, path_of, see_other
from scythe.web.server.settings import Settings

MAX_BODY = 20 * 1024 * 1024
"""Bytes that a form or a JSON request may have: a pasted page, and what its encoding
adds.
"""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""The headers of every answer, unless it has other values already."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_FORM_TYPE, _JSON_TYPE = "application/x-www-form-urlencoded", "application/json"
_YEAR = 365 * 24 * 3600
_SESSION_LENGTH = 43
"""Characters of `secrets.token_urlsafe(32)`."""
_HOST = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?", re.ASCII)
"""What a Host header may be: a name or an address, and a port. Whatever else it holds
would get into addresses that are made of it.
"""


class Refused(Exception):
    """A request that goes no further, and the answer it gets."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status_code)
        self.response = response


@dataclass(frozen=True)
class Guard:
    """The middleware."""

    app: ASGIApp
    settings: Settings
    guesses: Guesses = field(default_factory=Guesses)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        session, is_new = self._session(scope)
        scope["scythe.csrf"] = self._signed(session)
        cookie = self._cookie(self._session_name, session) if is_new else None
        sender = _Sender(send, cookie)
        try:
            receive = await self._checked(Request(scope, receive), receive)
        except Refused as refused:
            await refused.response(scope, receive, sender)
        else:
            await self.app(scope, receive, sender)

    async def _checked(self, request: Request, receive: Receive) -> Receive:
        self._check_name(request)
        if request.method not in _SAFE:
            self._check_origin(request)
            body = await self._body(request)
            receive = _replayed(body, receive)
            self._check_body(request, body)
        self._check_token(request)
        return receive

    def _check_body(self, request: Request, body: bytes) -> None:
        header = request.headers.get("content-type", "")
        media_type = header.partition(";")[0].strip().lower()
        is_empty = not media_type and not body
        # Programs send many calls without a body. A browser that sends one for another
        # site says so, and was refused before.
        is_empty_call = is_empty and is_api(request)
        if media_type == _FORM_TYPE or (is_empty and not is_empty_call):
            self._check_form(request, body)
        elif media_type != _JSON_TYPE and not is_empty_call:
            advice = f"Send a form, or JSON as {_JSON_TYPE}."
            raise Refused(error_page(request, 415, "Unknown kind of request", advice))

    def _check_name(self, request: Request) -> None:
        given = request.headers.get("host", "")
        host = _HOST.fullmatch(given)
        if host is None or not self.settings.answers_to(host[1]):
            advice = "Open it by its own address, or start it with --allow-host and this name."
            raise Refused(
                error_page(request, 421, "Scythe does not know this name", advice)
            )

    def _check_token(self, request: Request) -> None:
        """Let in who knows the token: by cookie, by header, or once by address or form,
        which set the cookie.
        """
        token = self.settings.token
        if token is None or path_of(request).startswith("/static/"):
            return
        proof = hmac.new(token.encode(), b"scythe", hashlib.sha256).hexdigest()
        if _is_equal(request.cookies.get(self._token_name, ""), proof):
            return
        authorization = request.headers.get("authorization", "")
        scheme, _, credentials = authorization.partition(" ")
        in_address = request.query_params.get("token", "")
        given = form(request).get("token") or in_address
        is_program = scheme.lower() == "bearer"
        self._check_guesses(request, credentials if is_program else given)
        if is_program and _is_equal(credentials, token):
            return
        if _is_equal(given, token):
            # One slash: what begins with two is an address of another site.
            path = path_of(request).lstrip("/\\")
            entered = see_other(f"/{path}")
            cookie = self._cookie(self._token_name, proof)
            entered.headers.append("set-cookie", cookie)
            raise Refused(entered)
        if is_api(request):
            advice = "Send it as `Authorization: Bearer TOKEN`."
            raise Refused(error_page(request, 401, "A token is needed", advice))
        raise Refused(page(request, "login.html", 401, wrong=bool(given)))

    def _check_guesses(self, request: Request, given: str) -> None:
        """Refuse who has tried many wrong tokens of late; whoever has the cookie is in
        already.
        """
        token = self.settings.token or ""
        if not given:
            return
        visitor = request.client.host if request.client else ""
        if self.guesses.is_exhausted(visitor):
            advice = "Too many wrong tokens were tried. Wait a minute, then try again."
            raise Refused(error_page(request, 429, "Too many attempts", advice))
        if not _is_equal(given, token):
            self.guesses.add(visitor)

    def _check_origin(self, request: Request) -> None:
        """Refuse requests from other sites. A browser sends where a request comes from;
        other programs do not, and have no cookie to misuse.
        """
        scheme = "https" if self.settings.tls else "http"
        ours = f"{scheme}://{request.headers.get('host', '')}"
        site = request.headers.get("sec-fetch-site", "none")
        origin = request.headers.get("origin", ours)
        if site not in ("same-origin", "none") or origin != ours:
            advice = (
                "Another site sent this request. Nothing was changed; do it from a page "
                "of Scythe."
            )
            raise Refused(error_page(request, 403, "This came from elsewhere", advice))

    def _check_form(self, request: Request, body: bytes) -> None:
        try:
            sent = Form.parse(body)
        except ValueError:
            raise Refused(
                error_page(request, 400, "Too many fields", "Send a smaller form.")
            ) from None
        if not _is_equal(sent.get(CSRF), request.scope["scythe.csrf"]):
            again = sent.to_resend()
            what = "Check it, and send it again." if again else "Open the page again."
            message = (
                "The server was restarted since you opened the page. "
                f"Nothing was changed yet. {what}"
            )
            raise Refused(
                error_page(request, 403, "Please send this again", message, again=again)
            )
        request.scope[FORM] = sent

    async def _body(self, request: Request) -> bytes:
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY:
                advice = f"Scythe takes up to {MAX_BODY // 1024 // 1024} MB at once."
                raise Refused(error_page(request, 413, "Too large", advice))
        return bytes(body)

    def _session(self, scope: Scope) -> tuple[str, bool]:
        given = Request(scope).cookies.get(self._session_name, "")
        if len(given) == _SESSION_LENGTH:
            return given, False
        return secrets.token_urlsafe(32), True

    def _signed(self, session: str) -> str:
        return hmac.new(
            self.settings.secret, session.encode(), hashlib.sha256
        ).hexdigest()

    @property
    def _session_name(self) -> str:
        return f"scythe_session_{self.settings.port}"

    @property
    def _token_name(self) -> str:
        return f"scythe_token_{self.settings.port}"

    def _cookie(self, name: str, value: str) -> str:
        """Return a cookie. It belongs to a host, whatever the port; so names have the
        port.
        """
        cookie = f"{name}={value}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax"
        return f"{cookie}; Secure" if self.settings.tls else cookie


@dataclass(frozen=True)
class _Sender:
    """Sends answers with the headers that all have."""

    send: Send
    cookie: str | None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if self.cookie:
                headers.append("set-cookie", self.cookie)
        await self.send(message)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a function that gives a body which was read once more, then what comes
    after it.
    """
    messages: list[Message] = [
        {"type": "http.request", "body": body, "more_body": False}
    ]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _is_equal(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())
