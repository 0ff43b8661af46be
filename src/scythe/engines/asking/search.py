"""A search with an engine: result page after result page, and the records of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urldefrag, urlsplit, urlunsplit

from scythe.engines.asking.response import Response
from scythe.engines.asking.results import Results, SearchStatus
from scythe.engines.asking.sender import Sender, sender_for
from scythe.engines.definition import EngineDefinition
from scythe.engines.forms.builder import FormPage, build_form
from scythe.engines.forms.controls import SUBMIT_KINDS, PageControl, PageControls
from scythe.engines.forms.detection import asks_for_login, page_forms
from scythe.engines.forms.form import TYPED, Request, SearchForm
from scythe.errors import (
    Blocked,
    EngineError,
    FetchError,
    LateTurn,
    LoginNeeded,
    RenderError,
    RobotsRefused,
    ScytheError,
    TooManyRequests,
    UsageError,
)
from scythe.sections.record import Record
from scythe.tree import Tree
from scythe.tree.text import visible_text
from scythe.wrappers.paging_terms import AROUND_WORDS, NEXT_SIGNS, NEXT_WORDS
from scythe.wrappers.record import RecordsStatus

SEARCH_FAILURES = (EngineError, FetchError, RenderError)
"""What may go wrong with an engine while it is searched."""
_REFUSAL_STATUS: tuple[tuple[type[ScytheError], SearchStatus], ...] = (
    (LateTurn, SearchStatus.LATE),
    (TooManyRequests, SearchStatus.LIMITED),
    (RobotsRefused, SearchStatus.ROBOTS),
    (LoginNeeded, SearchStatus.LOGIN),
    (Blocked, SearchStatus.BLOCKED),
)
"""The status of each refusal; all others are `UNREACHABLE`."""
LONGEST_PAGE_NUMBER = 6
"""Digits of a page number: an arbitrary cap against hostile pages."""


class ResultPage(NamedTuple):
    """A page that answers a query: as it was sent, and as a tree.

    The tree is what scripts made of the page where an engine is `rendered`.
    """

    response: Response
    tree: Tree


def search_engine(
    engine: EngineDefinition,
    query: str,
    pages: int = 1,
    sender: Sender | None = None,
) -> Results:
    """Return the records for a query; see `Engine.search`."""
    if pages < 1:
        raise UsageError(f"A search needs at least one page of results, not {pages}.")
    own_sender = sender or sender_for(engine.home)
    try:
        *_, results = accumulated_results(engine, query, pages, own_sender)
        return results
    finally:
        if sender is None:
            own_sender.close()


def accumulated_results(
    engine: EngineDefinition, query: str, pages: int, sender: Sender
) -> Iterator[Results]:
    """Yield the results of the first page, of the first two, and so on.

    Whoever cannot wait for all pages has those that have arrived.
    """
    rows: list[Record] = []
    urls: list[str] = []
    next_page: str | None = None
    try:
        for page in result_pages(engine, query, sender):
            results = read_results(engine, page)
            is_repeated = not set(results.rows) - set(rows)
            if urls and is_repeated:
                note = _end_note(page, results, len(urls) + 1)
                yield Results(tuple(rows), SearchStatus.OK, tuple(urls), note)
                return
            if not results.rows:
                yield results
                return

            rows += results.rows
            urls.append(page.response.url)
            next_page = results.next_page
            yield Results(tuple(rows), SearchStatus.OK, tuple(urls), "", next_page)
            if len(urls) == pages:
                return
    except SEARCH_FAILURES as error:
        if not rows:
            yield refused_results(error)
            return
        note = f"There may be more: {error}"
        yield Results(tuple(rows), SearchStatus.OK, tuple(urls), note, next_page)


def _end_note(page: ResultPage, results: Results, number: int) -> str:
    """Return why a later page brings nothing; nothing where the results just end."""
    if page.response.status >= 400:
        return f"There may be more: page {number} answered {page.response.status}."
    if results.status in (SearchStatus.OK, SearchStatus.EMPTY):
        return ""
    return f"There may be more: page {number} is {results.status}. {results.note}"


def refused_results(error: ScytheError) -> Results:
    """Return the results, none, of an engine that refused or failed."""
    status = SearchStatus.UNREACHABLE
    for kind, refusal_status in _REFUSAL_STATUS:
        if isinstance(error, kind):
            status = refusal_status
            break
    wait = error.wait if isinstance(error, TooManyRequests) else None
    return Results((), status, (), str(error), wait=wait)


def result_pages(
    engine: EngineDefinition, query: str, sender: Sender
) -> Iterator[ResultPage]:
    """Yield the result pages of a query, as long as each leads to another."""
    form = session_form(engine, sender) if engine.session else engine.form
    request = form.request(query)
    visited: set[str] = set()
    while True:
        page = fetch_page(request, sender, rendered=engine.rendered)
        yield page

        visited.add(urldefrag(request.url).url)
        visited.add(urldefrag(page.response.url).url)
        next_page = read_results(engine, page).next_page
        if next_page is None or urldefrag(next_page).url in visited:
            return
        request = Request(next_page)


def fetch_page(request: Request, sender: Sender, *, rendered: bool) -> ResultPage:
    """Fetch a page as the server sends it, or as scripts make it where it is `rendered`."""
    if request.method == TYPED:
        return _typed_page(request, sender)
    if not rendered:
        response = sender.send(request)
        return ResultPage(response, response.tree)
    if request.method == "post":
        raise UsageError(
            "A page that is requested by POST cannot be rendered."
            " Use an engine with addresses for its results."
        )

    from scythe.render.shared import open_page

    sender.wait_turn(request.url)
    return ResultPage(Response(b"", request.url), open_page(request.url))


def _typed_page(request: Request, sender: Sender) -> ResultPage:
    """Type a query into a page that finds by script, and return what it shows then."""
    from scythe.render.shared import type_query

    sender.wait_turn(request.url)
    query = (request.body or b"").decode()
    tree = type_query(request.url, request.headers["field"], query)
    return ResultPage(Response(b"", request.url), tree)


def session_form(engine: EngineDefinition, sender: Sender) -> SearchForm:
    """Fetch the form of an engine with the hidden values of this session.

    The session's cookies are in the sender then.
    """
    home = sender.get(engine.home)
    return current_form(engine.form, home) or engine.form


def current_form(form: SearchForm, response: Response) -> SearchForm | None:
    """Return a form as a page has it now, None where the page has it no longer."""
    candidates = page_forms(response.tree, response.url, response.form_charset)
    for candidate in candidates:
        current = candidate.form
        if current is not None and _form_key(current) == _form_key(form):
            return current
    return None


def _form_key(form: SearchForm) -> tuple[str, str, str]:
    return without_query_string(form.action), form.method, form.query_name


def read_results(engine: EngineDefinition, page: ResultPage) -> Results:
    """Return the records of one result page, or why there are none."""
    response, tree = page
    url = response.url
    records = engine.wrapper.read(tree, url)
    if records.status is RecordsStatus.OK:
        if has_no_result_line(engine, tree):
            note = "The engine found nothing, and lists other records instead."
            return Results((), SearchStatus.EMPTY, (url,), note)
        next_page = None
        if engine.form.method != TYPED:
            next_page = records.next_page
            next_page = next_page or next_page_by_button(tree, url, engine.form.charset)
        return Results(records.rows, SearchStatus.OK, (url,), records.note, next_page)

    if records.status is not RecordsStatus.BLOCKED:
        if asks_for_login(tree, url):
            note = (
                "The engine answers with a login."
                " Search it in a browser, or leave it out."
            )
            return Results((), SearchStatus.LOGIN, (url,), note)
        if response.redirected and _is_elsewhere(engine, url):
            note = f"The engine leads straight to {url}."
            return Results((), SearchStatus.JUMPED, (url,), note)
    status = SearchStatus(records.status.value)
    return Results((), status, (url,), records.note)


def _is_elsewhere(engine: EngineDefinition, url: str) -> bool:
    """Return whether an address is none of an engine's result pages."""
    if not engine.landings:
        return False
    return without_query_string(url) not in engine.landings


def has_no_result_line(engine: EngineDefinition, tree: Tree) -> bool:
    """Return whether a page has a line that only pages without results have."""
    if not engine.no_result_lines:
        return False
    lines = visible_text(tree).splitlines()
    return not set(engine.no_result_lines).isdisjoint(lines)


def without_query_string(url: str) -> str:
    """Return an address without its query string and fragment."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))


def next_page_by_button(tree: Tree, url: str, charset: str = "utf-8") -> str | None:
    """Return the address that the button for the next page leads to.

    Some engines, such as Omega, turn pages by the buttons of a form instead of by links.
    None where there is no such button, or its form is not sent by GET.
    """
    page = FormPage(tree, url, charset)
    controls = PageControls(tree)
    for form in controls.forms:
        form_controls = controls.by_form[form]
        query = _filled_query_field(form_controls)
        button = _next_button(form_controls)
        if query is None or button is None:
            continue
        built = build_form(page, form, form_controls, query, button)
        if built is not None and built.method == "get":
            return built.request(query.attributes["value"]).url
    return None


def _filled_query_field(controls: Sequence[PageControl]) -> PageControl | None:
    """Return the first named text field that has a value: it repeats the query."""
    for control in controls:
        if control.takes_text and control.name and control.attributes.get("value"):
            return control
    return None


def _next_button(controls: Sequence[PageControl]) -> PageControl | None:
    """Return the button for the next page.

    It is the one with such a caption, or the one with the number after that of the
    button that is disabled.
    """
    buttons_by_number: dict[int, PageControl] = {}
    for control in controls:
        if control.kind not in SUBMIT_KINDS or not control.name:
            continue
        caption = control.attributes.get("value", "").strip()
        words = caption.strip(AROUND_WORDS).lower()
        is_next = words in NEXT_WORDS or caption in NEXT_SIGNS
        if is_next and not control.disabled:
            return control
        digits = caption[:LONGEST_PAGE_NUMBER]
        if digits.isdecimal():
            buttons_by_number[int(digits)] = control

    for number, button in buttons_by_number.items():
        if button.disabled:
            return buttons_by_number.get(number + 1)
    return None
