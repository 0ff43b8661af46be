"""Asking an engine that is known, page after page, and what its answers are worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit, urlunsplit

from scythe.engines.asking.paging import next_by_button
from scythe.engines.asking.requests import Answer, Sender, sender_for
from scythe.engines.asking.results import Results, SearchStatus
from scythe.engines.forms.finding import asks_for_login, forms_of
from scythe.engines.forms.form import Form, Request
from scythe.errors import (
    Blocked,
    EngineError,
    FetchError,
    LoginNeeded,
    RenderError,
    RobotsRefused,
    ScytheError,
    TooManyRequests,
    UsageError,
)
from scythe.tree import Tree
from scythe.tree.text import visible_text
from scythe.wrappers.record import Record, RecordsStatus

if TYPE_CHECKING:
    from scythe.engines.engine import Engine

_STATUS: tuple[tuple[type[ScytheError], SearchStatus], ...] = (
    (TooManyRequests, SearchStatus.LIMITED),
    (RobotsRefused, SearchStatus.ROBOTS),
    (LoginNeeded, SearchStatus.LOGIN),
    (Blocked, SearchStatus.BLOCKED),
)
"""What each refusal means; all others mean that nothing answered as it should."""


def ask(
    engine: Engine, query: str, pages: int = 1, sender: Sender | None = None
) -> Results:
    """The records for a query; see `Engine.search`."""
    if pages < 1:
        raise UsageError(f"A search needs at least one page of results, not {pages}.")
    own = sender or sender_for(engine.home)
    try:
        *_, results = growing(engine, query, pages, own)
        return results
    finally:
        if sender is None:
            own.close()


def growing(
    engine: Engine, query: str, pages: int, sender: Sender
) -> Iterator[Results]:
    """The results of the first page, of the first two, and so on: who cannot wait for
    all pages has those that have come.
    """
    rows: list[Record] = []
    read: list[str] = []
    following: str | None = None
    try:
        for answer, tree in answers(engine, query, sender):
            found = read_answer(engine, answer, tree)
            if read and not (found.rows and set(found.rows) - set(rows)):
                yield Results(tuple(rows), SearchStatus.OK, tuple(read))
                return
            if not found.rows:
                yield found
                return
            rows += found.rows
            read.append(answer.url)
            following = found.next_page
            yield Results(tuple(rows), SearchStatus.OK, tuple(read), "", following)
            if len(read) == pages:
                return
    except (EngineError, FetchError, RenderError) as error:
        if not rows:
            yield refused(error)
        else:
            yield Results(
                tuple(rows),
                SearchStatus.OK,
                tuple(read),
                f"There may be more: {error}",
                following,
            )


def refused(error: ScytheError) -> Results:
    """What a refusal gives."""
    status = next(
        (status for kind, status in _STATUS if isinstance(error, kind)),
        SearchStatus.UNREACHABLE,
    )
    return Results(
        (),
        status,
        (),
        str(error),
        wait=error.wait if isinstance(error, TooManyRequests) else None,
    )


def answers(
    engine: Engine, query: str, sender: Sender
) -> Iterator[tuple[Answer, Tree]]:
    """The result pages of a query one after the other, as long as they lead on."""
    form = session_form(engine, sender) if engine.session else engine.form
    request, asked = form.request(query), set[str]()
    while True:
        answer, tree = fetch(request, sender, rendered=engine.rendered)
        yield answer, tree
        asked |= {urldefrag(request.url).url, urldefrag(answer.url).url}
        following = read_answer(engine, answer, tree).next_page
        if following is None or urldefrag(following).url in asked:
            return
        request = Request(following)


def fetch(request: Request, sender: Sender, *, rendered: bool) -> tuple[Answer, Tree]:
    """A page as the server sends it, or as its scripts make it where it is `rendered`."""
    if not rendered:
        answer = sender.send(request)
        return answer, answer.tree
    if request.method == "post":
        raise UsageError(
            "A page that is asked for by POST cannot be rendered. Use an engine with addresses for its results."
        )
    from scythe.render.shared import open_page

    sender.allow(request.url)
    return Answer(b"", request.url), open_page(request.url)


def session_form(engine: Engine, sender: Sender) -> Form:
    """The form of an engine with the hidden values of this session, and the session's
    cookies in the sender.
    """
    return same_form(engine.form, sender.get(engine.home)) or engine.form


def same_form(form: Form, answer: Answer) -> Form | None:
    """A form as a page has it now, None where the page has it no longer."""
    for found in forms_of(answer.tree, answer.url, answer.form_charset):
        now = found.form
        if now is not None and _identity(now) == _identity(form):
            return now
    return None


def _identity(form: Form) -> tuple[str, str, str]:
    return place_of(form.action), form.method, form.query_name


def read_answer(engine: Engine, answer: Answer, tree: Tree) -> Results:
    """The records of one result page, or why there are none."""
    records = engine.wrapper.read(tree, answer.url)
    if records.status is RecordsStatus.OK and not says_nothing(engine, tree):
        following = records.next_page or next_by_button(
            tree, answer.url, engine.form.charset
        )
        return Results(
            records.rows, SearchStatus.OK, (answer.url,), records.note, following
        )
    if records.status is RecordsStatus.OK:
        return Results(
            (),
            SearchStatus.EMPTY,
            (answer.url,),
            "The engine found nothing, and shows other things instead.",
        )
    if records.status is not RecordsStatus.BLOCKED:
        if asks_for_login(tree, answer.url):
            note = "The engine answers with a login. Search it in a browser, or leave it out."
            return Results((), SearchStatus.LOGIN, (answer.url,), note)
        if (
            answer.redirected
            and engine.landings
            and place_of(answer.url) not in engine.landings
        ):
            return Results(
                (),
                SearchStatus.JUMPED,
                (answer.url,),
                f"The engine leads straight to {answer.url}.",
            )
    return Results((), SearchStatus(records.status.value), (answer.url,), records.note)


def says_nothing(engine: Engine, tree: Tree) -> bool:
    """Whether a page says what only pages without results say."""
    return bool(engine.nothing) and not set(engine.nothing).isdisjoint(
        visible_text(tree).splitlines()
    )


def place_of(url: str) -> str:
    """An address without its query string."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
