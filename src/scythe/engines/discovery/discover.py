"""Discovery of an engine: search page, form, sample queries, wrapper, check.

The left half of figure 1 of the ViNTs paper. Nothing is stored; what goes wrong is an
error that says what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

from scythe.engines.asking.sender import Sender, sender_for
from scythe.engines.definition import EngineDefinition
from scythe.engines.discovery.samples import (
    Samples,
    SamplingOptions,
    collect_samples,
    second_empty_page,
)
from scythe.engines.discovery.search_page import (
    SearchPage,
    find_search_page,
    typed_forms,
    with_linked_words,
)
from scythe.engines.discovery.wrapper import (
    CheckedWrapper,
    learn_wrapper,
    needs_session,
    no_result_lines,
)
from scythe.engines.forms.form import SearchForm
from scythe.errors import (
    EngineError,
    FetchError,
    LoginNeeded,
    NoSearchForm,
    NotLearned,
    RenderError,
    ScytheError,
    TooManyRequests,
    Unreachable,
    UsageError,
)
from scythe.render import browser_available
from scythe.tree import parse
from scythe.urls import require_no_login

ProgressCallback = Callable[[str, str], None]
"""Called with each stage (`page`, `form`, `query`, `learn`, `check`) and its result."""
FORMS_TRIED = 3
TYPED_TRIED = 1
"""Forms of a page that are tried, the likeliest first, and those that are typed into
where none of them works: bounds on requests, not tuned.
"""


@dataclass(frozen=True, slots=True)
class DiscoverOptions:
    """How an engine is discovered."""

    name: str | None = None
    """The name of the engine; by default that of its host."""
    samples: int = 5
    """Result pages to learn from, as in the ViNTs paper."""
    max_queries: int = 20
    """Queries to send at most until there are as many result pages with enough records."""
    render: bool | None = None
    """Whether pages are opened in a browser: None where there is one, True to insist,
    False to do without.
    """
    known: EngineDefinition | None = None
    """The engine as it was learned before. Its form is tried where the page has no other
    that works, or is gone; its queries are sent first.
    """

    def __post_init__(self) -> None:
        if self.samples < 1 or self.max_queries < self.samples:
            raise UsageError(
                "DiscoverOptions: ask for at least one sample, and for no fewer queries"
                " than samples."
            )


def discover(
    url: str,
    *,
    options: DiscoverOptions | None = None,
    progress: ProgressCallback | None = None,
    sender: Sender | None = None,
) -> EngineDefinition:
    """Return the engine behind the search form of a page; see `Engine.discover`.

    Raises a `ScytheError` that says what to do where there is none.
    """
    require_no_login(url)
    own_sender = sender or sender_for(url)
    discovery = _Discovery(
        options or DiscoverOptions(), progress or _no_progress, own_sender
    )
    try:
        return discovery.run(url)
    finally:
        if sender is None:
            own_sender.close()


def _no_progress(_stage: str, _result: str) -> None:
    """Ignore the progress."""


@dataclass(frozen=True, eq=False)
class _Discovery:
    options: DiscoverOptions
    progress: ProgressCallback
    sender: Sender

    def run(self, url: str) -> EngineDefinition:
        self.progress("page", url)
        page = self._search_page(url)
        failures: list[ScytheError] = []
        definition = self._learned(page, failures)
        if definition is None and any(map(_is_about_words, failures)):
            self.progress("page", "words of the pages that it links to")
            wider = with_linked_words(page, self.sender)
            if wider is not None:
                definition = self._learned(wider, failures)
        if definition is not None:
            return definition
        if failures:
            raise failures[0]
        raise EngineError(
            "The page has no form that could be tried. Give another page of the site."
        )

    def _learned(
        self, page: SearchPage, failures: list[ScytheError]
    ) -> EngineDefinition | None:
        """Return the engine of the first form that works; what is wrong with the others
        is added to the failures.
        """
        for form in page.forms:
            self.progress("form", str(form))
            try:
                samples = self._collect_samples(page, form)
                how = "rendered" if samples.rendered else "as sent"
                self.progress("learn", f"{len(samples.pages)} result pages, {how}")
                checked = learn_wrapper(samples, render=self.options.render)
            except TooManyRequests:
                raise
            except (EngineError, FetchError, RenderError) as error:
                failures.append(error)
                continue
            self.progress("check", checked.summary)
            return self._definition(page, samples, checked)
        return None

    def _search_page(self, url: str) -> SearchPage:
        """Return the page with the forms to try, the one known from before the last."""
        known = self.options.known
        try:
            page = find_search_page(url, self.sender, render=self.options.render)
        except (NoSearchForm, Unreachable, LoginNeeded):
            if known is None:
                raise
            page = SearchPage(url, parse(b""), ())
        forms = page.forms[:FORMS_TRIED]
        if self.options.render is not False and browser_available():
            forms += typed_forms(page.tree, page.url)[:TYPED_TRIED]
        if known is not None and known.form not in forms:
            forms = (*forms, known.form)
        return replace(page, forms=forms)

    def _collect_samples(self, page: SearchPage, form: SearchForm) -> Samples:
        def query_progress(query: str, result: str) -> None:
            self.progress("query", f"{query}: {result}")

        options = SamplingOptions(
            self.options.samples, self.options.max_queries, self.options.render
        )
        if self.options.known is not None:
            options = replace(options, known_queries=self.options.known.queries)
        return collect_samples(page, form, self.sender, options, query_progress)

    def _no_result_lines(
        self, page: SearchPage, samples: Samples, checked: CheckedWrapper
    ) -> tuple[str, ...]:
        """Return the lines of pages without results, where their records look alike."""
        if not checked.false_alarm:
            return ()
        second = second_empty_page(page, samples, self.sender)
        if second is None:
            return ()
        return no_result_lines(samples, checked.wrapper, second)

    def _definition(
        self, page: SearchPage, samples: Samples, checked: CheckedWrapper
    ) -> EngineDefinition:
        return EngineDefinition(
            name=self.options.name or page.name or _host_name(page.url),
            home=page.url,
            form=samples.form,
            wrapper=checked.wrapper,
            session=needs_session(samples, checked.wrapper, self.sender),
            rendered=samples.rendered,
            landings=samples.landings,
            no_result_lines=self._no_result_lines(page, samples, checked),
            learned_at=datetime.now(UTC).isoformat(timespec="seconds"),
            queries=tuple([sample.query for sample in samples.pages]),
        )


def _is_about_words(failure: ScytheError) -> bool:
    """Return whether queries were answered and found too little."""
    return isinstance(failure, NotLearned)


def _host_name(url: str) -> str:
    """Return the host, with the port where the address has one."""
    parts = urlsplit(url)
    host = (parts.hostname or "engine").removeprefix("www.")
    return f"{host}-{parts.port}" if parts.port else host
