"""All exceptions Scythe raises on purpose.

    ScytheError
    ├── InputError            the input itself cannot be used
    │   ├── EmptyInput        there is nothing in it
    │   └── NotHtml           it is a feed, a table, a PDF, an image, ...
    ├── FetchError            a URL or file could not be read
    ├── RenderError           a page could not be rendered
    │   ├── NoBrowser         there is no browser, or nothing to drive it with
    │   ├── BrowserCrashed    the browser or the page's process ended while it worked
    │   ├── RenderTimeout     the page took longer than allowed
    │   └── PageTooLarge      the page takes more memory than allowed
    ├── EngineError           a search engine could not be used
    │   ├── NoSearchForm      the page has no search form
    │   ├── RobotsRefused     robots.txt asks programs to stay away (also a FetchError)
    │   ├── LoginNeeded       the page is behind a login
    │   ├── TooManyRequests   the site wants fewer requests
    │   │   └── LateTurn      its turn comes later than the caller can wait
    │   ├── Blocked           the site answers with a bot check or refuses
    │   ├── Unreachable       nothing answers, not in time, or with a server error
    │   └── NotLearned        the sample result pages have no records in common
    ├── StoreError            the database could not be used
    │   ├── NoDatabase        it cannot be reached or opened
    │   ├── NewerDatabase     a newer version of Scythe wrote it
    │   ├── NotStored         it has nothing of that name
    │   ├── AlreadyStored     it has something of that name already
    │   └── Conflict          somebody else has changed it in the meantime
    └── UsageError            an argument is wrong (also a ValueError)

Every message is one sentence that names what is wrong, followed by what to do about it.
"""

from __future__ import annotations

from scythe.logins import without_logins


class ScytheError(Exception):
    """Base of every error that Scythe raises on purpose. No message repeats the password
    of an address.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(without_logins(message))


class InputError(ScytheError):
    """The bytes given are not a page."""


class EmptyInput(InputError):
    """The input holds nothing but white space."""


class NotHtml(InputError):
    """The input is recognisably something else than a web page; `kind` is what, as
    `scythe.media.MediaKind` has it.
    """

    def __init__(self, message: str, kind: str = "other") -> None:
        super().__init__(message)
        self.kind = kind


class FetchError(ScytheError):
    """A URL or file could not be read."""


class RenderError(ScytheError):
    """A page could not be rendered."""


class NoBrowser(RenderError):
    """There is no browser on this machine, or nothing to drive it with."""


class BrowserCrashed(RenderError):
    """The browser, or the process that held the page, ended before the page was read."""


class RenderTimeout(RenderError):
    """The page was not there within the time allowed."""


class PageTooLarge(RenderError):
    """The page takes more memory in the browser than allowed."""


class EngineError(ScytheError):
    """A search engine could not be used."""


class NoSearchForm(EngineError):
    """The page has no search form, nor any other way to ask its site."""


class RobotsRefused(EngineError, FetchError):
    """The site's robots.txt asks programs to stay away from this address."""


class LoginNeeded(EngineError):
    """The page is only for people who have logged in."""


class TooManyRequests(EngineError):
    """The site wants fewer requests; `wait` is how many seconds it asks for, if it says
    so.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class LateTurn(TooManyRequests):
    """The turn of a request comes later than its caller can wait; the site is well."""


class Blocked(EngineError):
    """The site answers with a bot check, or refuses to answer."""


class Unreachable(EngineError):
    """Nothing answers, not in time, or what answers is broken."""


class NotLearned(EngineError):
    """No records were found that the sample result pages have in common."""


class StoreError(ScytheError):
    """The database could not be used."""


class NoDatabase(StoreError):
    """The database cannot be reached, opened or made."""


class NewerDatabase(StoreError):
    """A newer version of Scythe wrote the database, in a way that this one does not
    know.
    """


class NotStored(StoreError):
    """The database has nothing of that name."""


class AlreadyStored(StoreError):
    """The database has something of that name already."""


class Conflict(StoreError):
    """Somebody else has changed something in the meantime, and what was asked for is
    not done.
    """


class UsageError(ScytheError, ValueError):
    """An argument has a value that no call can satisfy."""
