"""The states that a collection's rows can be in, by the words that the database stores.

They are below the algorithms that decide about them, so that the tables and the
algorithms write the same words.
"""

from __future__ import annotations

from enum import StrEnum


class CollectionState(StrEnum):
    """Whether a collection is kept up to date: `run` without a name and `watch` skip
    what is paused.
    """

    ACTIVE = "active"
    PAUSED = "paused"


class RunState(StrEnum):
    """How a run ended. One that was killed stays `running`, and the next one resumes
    it. All but `done` are of runs that could read no start page; the summary has the
    reason in words.
    """

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """What the start page sent could not be read."""
    REFUSED = "refused"
    """The server wants a login, or does not let programs in: 401, 403 and others."""
    NOT_FOUND = "not found"
    UNAVAILABLE = "unavailable"
    """The server is there and has trouble of its own: 503 and others."""
    UNREACHABLE = "unreachable"
    ROBOTS = "robots"
    """The robots.txt of the site forbids it."""
    TIMEOUT = "timeout"
    EMPTY = "empty"
    """The start page was read, and leads to no record."""


class RuleAction(StrEnum):
    """What an operator says that links are."""

    RECORD = "record"
    WATCH = "watch"
    """An index page, visited again and again."""
    NEVER = "never"


class RuleScope(StrEnum):
    """Which links a rule is about; the first that says something of a link counts."""

    LINK = "link"
    LIST = "list"
    """All links that stand together in a list of an index page."""
    PATTERN = "pattern"
    """All addresses that match a pattern, `*` standing for anything."""


class NoticeState(StrEnum):
    """Whether an operator has dealt with a notice."""

    OPEN = "open"
    DONE = "done"


class IndexPageKind(StrEnum):
    """What kind of document lists pages."""

    HTML = "html"
    FEED = "feed"
    SITEMAP = "sitemap"
    RECORDS = "records"
    """No document at all: the links that pages of records have."""


class FetchOutcome(StrEnum):
    """How a request for a page, or a visit to an index page, ended."""

    NONE = ""
    """The page has not been asked for yet."""
    OK = "ok"
    """The page was sent."""
    CHANGED = "changed"
    """The index page was sent, and its links differ from those of the last visit."""
    UNCHANGED = "unchanged"
    """The server says that the page is as it was, or the links of an index page are."""
    GONE = "gone"
    ROBOTS = "robots"
    PRIVATE = "private"
    """The address leads to a private machine."""
    TOO_LARGE = "too large"
    NO_PAGE = "no page"
    """The answer is not of a type that pages have."""
    REDIRECT_LOOP = "redirect loop"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    SERVER_ERROR = "server error"
    UNREACHABLE = "unreachable"
    CUT_OFF = "cut off"
    """The connection ended before the whole page had come."""
    UNREADABLE = "unreadable"
    """The index page was sent without anything that could be read."""


class PageStage(StrEnum):
    """How far a page has come in the pipeline, in this order."""

    QUEUED = "wanted"
    FETCHED = "fetched"
    CLASSIFIED = "classified"
    EXTRACTED = "extracted"
    DONE = "done"


class PageKind(StrEnum):
    """What a fetched page turned out to be."""

    RECORD = "record"
    INDEX = "index"
    OTHER = "page"
    BLOCKED = "blocked"
    """A bot check or a login wall in place of the page."""


class LinkDecision(StrEnum):
    """What is done with a link."""

    RECORD = "record"
    """Its page is fetched as a record."""
    INDEX = "index"
    """Its page is visited as an index page."""
    SAMPLE = "sample"
    """Its page is fetched to see what links like it lead to."""
    SKIP = "skip"


class RecordState(StrEnum):
    """How a record stands."""

    OK = "ok"
    DRAFT = "draft"
    """Its values come from suggestions that nobody has accepted yet."""
    REVIEW = "review"
    """Its new values wait for a person."""
    GONE = "gone"
    HIDDEN = "hidden"
    """An operator wants to see it no more. Runs go on reading it."""


class RecordChange(StrEnum):
    """What happened to a record."""

    NEW = "new"
    CHANGED = "changed"
    CORRECTED = "corrected"
    """The same bytes were read in another way, because an annotation, the template or
    the schema has changed; the site has not.
    """
    MOVED = "moved"
    GONE = "gone"
    BACK = "back"
    REVIEW = "review"
    """Its new values wait for a person."""
    ACCEPTED = "accepted"
    """A person took its values as they are."""
    EDITED = "edited"
    """A person gave it values, or took them back."""
    HIDDEN = "hidden"
    SHOWN = "shown"
    """It was hidden, and is not any more."""
