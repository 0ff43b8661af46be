"""Notifications of new and changed records after a run: to a webhook (signed), to a
command, or by mail.

All get the same JSON: the collection and its changes, each with an id that stays the
same, so that a receiver can tell what it was told twice (a run that is killed while it
notifies is told again).

A webhook gets `X-Scythe-Signature: sha256=...`, the HMAC-SHA256 of the body under the
secret that both know. A command gets the JSON on its standard input.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import shlex
import smtplib
import subprocess
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from scythe.collect.publish.feed import FeedEntry
from scythe.errors import ScytheError, UsageError
from scythe.store.collections.collections import CollectionRow
from scythe.urls import fetchable_url, resolves_to_private

TIMEOUT = 20.0
"""Seconds that a receiver may take: a bound, not tuned."""
MAX_CHANGES = 500
"""Changes of one notification: a bound on what is sent, not tuned."""
_MAX_LINES = 50
"""Changes that a mail spells out."""
_FAILURES = (
    OSError,
    ValueError,
    HTTPException,
    smtplib.SMTPException,
    subprocess.SubprocessError,
)
"""What receivers can do wrong, those that speak no HTTP and commands that are none
included.
"""


class NotificationError(ScytheError):
    """A notification could not be delivered."""


@dataclass(frozen=True)
class Notification:
    """Whom to notify: exactly one of a webhook, a command and a mail address."""

    webhook: str = ""
    secret: str = ""
    """What a webhook's requests are signed with."""
    command: str = ""
    mail: str = ""
    smtp: str = "smtp://localhost"
    """The mail server: smtp:// or smtps://, with user and password if it wants them."""
    sender: str = ""
    private: bool = False
    """Whether the webhook may be on a private machine."""

    @classmethod
    def from_json(cls, given: Any) -> Notification:
        """Return the notification that settings describe."""
        names = set(cls.__dataclass_fields__)
        if not isinstance(given, Mapping) or not names.issuperset(given):
            raise UsageError(
                f"A notification has some of: {', '.join(sorted(names))}, nothing else."
            )
        for name, value in given.items():
            if not isinstance(value, bool if name == "private" else str):
                raise UsageError(f"{name} of a notification cannot be {value!r}.")
        found = cls(**given)
        ways = [found.webhook, found.command, found.mail]
        if sum(map(bool, ways)) != 1:
            raise UsageError("Give a notification a webhook, a command or a mail.")
        if found.webhook and fetchable_url(found.webhook) != found.webhook:
            raise UsageError(f"{found.webhook} is no address of a webhook.")
        if not found.mail:
            return found
        if "@" not in found.mail or "\n" in found.mail:
            raise UsageError(f"{found.mail!r} is no mail address.")
        if urlsplit(found.smtp).scheme not in ("smtp", "smtps"):
            raise UsageError("Give the mail server as smtp://HOST or smtps://HOST.")
        return found

    @property
    def target(self) -> str:
        """Whom it goes to, without any secret."""
        return self.webhook or self.command or self.mail

    def send(self, collection: CollectionRow, entries: Sequence[FeedEntry]) -> None:
        """Deliver changes; raise `NotificationError` where that fails."""
        body = message_body(collection, entries)
        try:
            if self.webhook:
                self._post(body)
            elif self.command:
                self._execute(body)
            else:
                self._mail(collection, entries)
        except _FAILURES as error:
            reason = str(error) or type(error).__name__
            raise NotificationError(
                f"{self.target} could not be notified: {reason}. "
                "The next run tries again."
            ) from error

    def _post(self, body: bytes) -> None:
        host = urlsplit(self.webhook).hostname or ""
        if not self.private and resolves_to_private(host):
            raise NotificationError(
                f"{self.webhook} is a private machine. Allow it with private = true."
            )
        request = urllib.request.Request(  # noqa: S310 - http and https only
            self.webhook,
            body,
            {"Content-Type": "application/json", "User-Agent": "scythe"},
        )
        if self.secret:
            request.add_header("X-Scythe-Signature", signature(body, self.secret))
        opener = urllib.request.build_opener(_NoRedirects())
        with opener.open(request, timeout=TIMEOUT) as answer:
            answer.read(1)

    def _execute(self, body: bytes) -> None:
        subprocess.run(  # noqa: S603 - a command of the operator's own
            shlex.split(self.command),
            input=body,
            check=True,
            timeout=TIMEOUT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _mail(self, collection: CollectionRow, entries: Sequence[FeedEntry]) -> None:
        message = EmailMessage()
        name = " ".join(collection.name.split())
        message["Subject"] = f"{name}: {len(entries)} new or changed records"
        message["From"] = self.sender or self.mail
        message["To"] = self.mail
        lines = [f"{entry.change}: {entry.title}\n  {entry.url}" for entry in entries]
        surplus = len(lines) - _MAX_LINES
        if surplus > 0:
            lines[_MAX_LINES:] = [f"and {surplus} more"]
        message.set_content("\n".join(lines) + "\n")

        server = urlsplit(self.smtp)
        connect = smtplib.SMTP_SSL if server.scheme == "smtps" else smtplib.SMTP
        with connect(
            server.hostname or "localhost", server.port or 0, timeout=TIMEOUT
        ) as smtp:
            if server.username:
                if server.scheme == "smtp":
                    smtp.starttls()
                smtp.login(server.username, server.password or "")
            smtp.send_message(message)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: a signed body is for one receiver."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Return nothing to follow."""


def signature(body: bytes, secret: str) -> str:
    """Return what proves that a body comes from who knows the secret."""
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return f"sha256={digest}"


def message_body(collection: CollectionRow, entries: Sequence[FeedEntry]) -> bytes:
    """Return changes as the JSON that receivers get."""
    changes = [_change(entry) for entry in entries[:MAX_CHANGES]]
    content = {
        "collection": collection.name,
        "url": collection.url,
        "total": len(entries),
        "changes": changes,
    }
    return json.dumps(content, ensure_ascii=False, default=str).encode()


def _change(entry: FeedEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "change": entry.change,
        "at": entry.at.isoformat(),
        "title": entry.title,
        "url": entry.url,
        "fields": dict(entry.fields),
    }
