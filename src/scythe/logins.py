"""Users and passwords in addresses (`https://USER:PASSWORD@host/`): they go to the server
that they are for, and nowhere else.
"""

from __future__ import annotations

import re

_LOGIN = re.compile(
    r"\b((?!postgres)[a-z][a-z0-9+.-]{1,20}://)"
    r"(?:[^\s/?#]{1,300}@"
    r"|[^\s/?#@:\[\]]{0,100}:(?!\d{1,5}(?:[/?#\s]|$))[^\s@]{1,200}@)",
    re.IGNORECASE,
)
"""The scheme of an address and its login, which ends at the last @ before the path; also
one whose password has a slash that should have been escaped, but no port before a path
with an @. Addresses of databases are shown with the user alone (`store.location`).
"""


def without_logins(text: str) -> str:
    """Return an address, or any text, with no user and password in its addresses: what is
    shown, stored or resolved against.
    """
    if "@" not in text:
        return text
    return _LOGIN.sub(r"\1", text)


def has_login(url: str) -> bool:
    """Return whether an address has a user or a password."""
    return without_logins(url) != url
