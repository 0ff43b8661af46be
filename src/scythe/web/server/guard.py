"""Who may ask what: one middleware through which every request goes.

The app has no users, and does what it is told; so all that matters is that it is told
by the person in front of it. A page that this person opens elsewhere must not get in:
it cannot use another name for this machine (Host), send forms from its own origin
(Origin, Sec-Fetch-Site), nor forge one of ours (CSRF). From other machines nobody gets
in without the token. And whatever gets out carries a policy that lets nothing run or
load but our own files.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scythe.web.server.forms import CSRF, FORM, Form, form
from scythe.web.server.rendering import error_page, is_api, page, see_other
from scythe.web.server.settings import Settings

MAX_BODY = 20 * 1024 * 1024
"""Bytes that a form or a JSON request may have: a pasted page, and what its encoding
adds.
"""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
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
"""What every answer carries, unless it has another value already."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_FORM_TYPE, _JSON_TYPE = "application/x-www-form-urlencoded", "application/json"
_YEAR = 365 * 24 * 3600
_RESENT = 200_000
"""Characters of a form that a page carries to be sent again."""


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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        session, is_new = self._session(scope)
        scope["scythe.csrf"] = self._signed(session)
        told = _Sender(
            send, self._cookie(self._session_name, session) if is_new else None
        )
        try:
            receive = await self._checked(Request(scope, receive), receive)
        except Refused as refused:
            await refused.response(scope, receive, told)
        else:
            await self.app(scope, receive, told)

    async def _checked(self, request: Request, receive: Receive) -> Receive:
        self._check_name(request)
        if request.method not in _SAFE:
            self._check_origin(request)
            body = await self._body(request)
            receive = _replayed(body, receive)
            kind = (
                request.headers.get("content-type", "")
                .partition(";")[0]
                .strip()
                .lower()
            )
            if kind == _FORM_TYPE or (not kind and not body):
                self._check_form(request, body)
            elif kind != _JSON_TYPE:
                raise Refused(
                    error_page(
                        request,
                        415,
                        "Unknown kind of request",
                        f"Send a form, or JSON as {_JSON_TYPE}.",
                    )
                )
        self._check_token(request)
        return receive

    def _check_name(self, request: Request) -> None:
        given = request.headers.get("host", "")
        name = (
            given.rpartition(":")[0]
            if not given.endswith("]") and ":" in given
            else given
        )
        if not self.settings.answers_to(name):
            advice = "Open it by its own address, or start it with --allow-host and this name."
            raise Refused(
                error_page(request, 421, "Scythe does not know this name", advice)
            )

    def _check_token(self, request: Request) -> None:
        """Let in who knows the token: by cookie, header, or once by address or form,
        which leave the cookie.
        """
        token = self.settings.token
        if token is None or request.url.path.startswith("/static/"):
            return
        word = hmac.new(token.encode(), b"scythe", hashlib.sha256).hexdigest()
        scheme, _, told = request.headers.get("authorization", "").partition(" ")
        if _same(request.cookies.get(self._token_name, ""), word) or (
            scheme.lower() == "bearer" and _same(told, token)
        ):
            return
        given = form(request).get("token") or request.query_params.get("token", "")
        if _same(given, token):
            entered = see_other(request.url.path)
            entered.headers.append("set-cookie", self._cookie(self._token_name, word))
            raise Refused(entered)
        if is_api(request):
            raise Refused(
                error_page(
                    request,
                    401,
                    "A token is needed",
                    "Send it as `Authorization: Bearer TOKEN`.",
                )
            )
        raise Refused(page(request, "login.html", 401, wrong=bool(given)))

    def _check_origin(self, request: Request) -> None:
        """A browser says where a request comes from; a program that is none says
        nothing, and has no cookie to misuse.
        """
        site, origin = (
            request.headers.get("sec-fetch-site"),
            request.headers.get("origin"),
        )
        ours = f"{'https' if self.settings.tls else 'http'}://{request.headers.get('host', '')}"
        foreign = (site is not None and site not in ("same-origin", "none")) or (
            origin is not None and origin != ours
        )
        if foreign:
            advice = "Another site sent this request. Nothing was changed; do it from a page of Scythe."
            raise Refused(error_page(request, 403, "This came from elsewhere", advice))

    def _check_form(self, request: Request, body: bytes) -> None:
        try:
            sent = Form.parsed(body)
        except ValueError:
            raise Refused(
                error_page(request, 400, "Too many fields", "Send a smaller form.")
            ) from None
        if not _same(sent.get(CSRF), request.scope["scythe.csrf"]):
            again = [
                (name, value)
                for name, values in sent.fields.items()
                if name != CSRF
                for value in values
            ]
            if sum(len(value) for _, value in again) > _RESENT:
                again = []
            what = "Look at it, and send it again." if again else "Open the page again."
            message = f"The page is older than the server, which was started anew. Nothing was changed yet. {what}"
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
        return (given, False) if len(given) == 43 else (secrets.token_urlsafe(32), True)

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
        """Cookies belong to a host, whatever the port; so their names have the port."""
        return f"{name}={value}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax" + (
            "; Secure" if self.settings.tls else ""
        )


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
    """A body that was read, for whoever reads it next; then what comes after it."""
    messages: list[Message] = [
        {"type": "http.request", "body": body, "more_body": False}
    ]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())
