"""Sample result pages of an engine.

Queries are sent until there are enough pages with enough records, and one page without
any.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import urlsplit

from scythe.content.status import is_blocked
from scythe.engines.asking.response import Response
from scythe.engines.asking.search import (
    current_form,
    fetch_page,
    without_query_string,
)
from scythe.engines.asking.sender import Sender
from scythe.engines.discovery.novelty import Novelty
from scythe.engines.discovery.queries import SampleQueries, impossible_query
from scythe.engines.discovery.search_page import SearchPage
from scythe.engines.forms.detection import asks_for_login
from scythe.engines.forms.form import QUERY, TYPED, Control, SearchForm
from scythe.errors import (
    Blocked,
    EngineError,
    FetchError,
    LoginNeeded,
    NotLearned,
    RenderError,
    ScytheError,
    TooManyRequests,
)
from scythe.render import browser_available
from scythe.tree import Tree
from scythe.tree.encoding import decode
from scythe.urls import origin

QueryProgress = Callable[[str, str], None]
"""Called with each query and what came back."""
IDLE_QUERIES = 10
"""Queries without anything new after which a form is given up: with the words of a site
and frequent ones among them, an engine that has something has shown it by then.
"""
IDLE_QUERIES_OF_GUESS = 3
"""The same for a form that is guessed for a box without one, or typed into."""
MIN_PAGES = 2
"""Result pages that a wrapper is learned from at the least."""
_TOKEN = re.compile(r"(?=.*\d)[\w+/=.:-]{16,}")
"""Hidden values that look made for one visitor."""


@dataclass(frozen=True, eq=False)
class SampleAnswer:
    """A page that answers a sample query."""

    query: str
    response: Response
    tree: Tree
    novelty: Novelty

    @property
    def html(self) -> str:
        """The page as text."""
        return decode(self.response.data, self.response.charset).text


@dataclass(frozen=True, eq=False)
class Samples:
    """The pages to learn an engine from."""

    form: SearchForm
    pages: tuple[SampleAnswer, ...]
    held_out: tuple[SampleAnswer, ...]
    """Result pages that are not learned from, for the check."""
    empty: SampleAnswer | None
    """The page for a query that finds nothing."""
    rendered: bool
    """Whether only a browser sees the results."""
    session: bool
    """Whether the form was fetched before each query."""

    @property
    def all_pages(self) -> tuple[SampleAnswer, ...]:
        """The result pages, those for the check included."""
        return (*self.pages, *self.held_out)

    @property
    def landings(self) -> tuple[str, ...]:
        """The addresses of the result pages; none where each is at another one."""
        urls = [page.response.url for page in self.all_pages]
        addresses = set(map(without_query_string, urls))
        most = max(len(self.pages) // 2, 1)
        if len(addresses) > most:
            return ()
        return tuple(sorted(addresses))


@dataclass(frozen=True, slots=True)
class SamplingOptions:
    """How many samples are collected, and how."""

    pages: int
    """Result pages to learn from; one more is for the check."""
    queries: int
    """Queries to send at most."""
    render: bool | None = None
    """Whether a browser may open pages that have nothing as they are sent: None where
    there is one.
    """
    known_queries: tuple[str, ...] = ()
    """Queries that found something before: they are sent first."""

    @property
    def browser(self) -> bool:
        """Whether there is a browser to use."""
        return self.render is not False and browser_available()


def collect_samples(
    page: SearchPage,
    form: SearchForm,
    sender: Sender,
    options: SamplingOptions,
    progress: QueryProgress,
) -> Samples:
    """Collect the sample pages of an engine.

    Where a form that was fetched once is not good for several queries, it is fetched
    before each; where the pages have nothing, a browser opens them.
    """
    has_token = any(map(_is_token, form.controls))
    plain = _Sampler(page, form, sender, progress, session=has_token)
    refusal: ScytheError | None = None
    for sampler in _samplers(plain, options):
        try:
            samples = sampler.collect(options)
        except (Blocked, FetchError, RenderError) as error:
            refusal = refusal or error
            continue
        if samples is not None:
            return samples
    raise refusal or NotLearned(
        f"Of the sample queries, too few found anything at {form.action}. Check that"
        " its search works in a browser; give the page of another search box if it has"
        " several."
    )


def _samplers(plain: _Sampler, options: SamplingOptions) -> list[_Sampler]:
    """Return the ways to sample that are tried one after the other."""
    form = plain.form
    if form.method == TYPED:
        return [replace(plain, rendered=True)]
    samplers = [plain]
    has_hidden = any(control.kind == "hidden" for control in form.controls)
    if has_hidden and not plain.session:
        samplers.append(replace(plain, session=True))
    if form.method == "get" and options.browser:
        rendered = replace(plain, rendered=True)
        # What follows the # is for scripts alone: servers never see it.
        if QUERY in urlsplit(form.action).fragment:
            return [rendered]
        samplers.append(rendered)
    return samplers


@dataclass(frozen=True, eq=False)
class _Sampler:
    page: SearchPage
    form: SearchForm
    sender: Sender
    progress: QueryProgress
    session: bool = False
    rendered: bool = False

    def collect(self, options: SamplingOptions) -> Samples | None:
        """Collect the pages; return None where nothing of use came back."""
        query = impossible_query(origin(self.page.url))
        empty = self.sample(query, None)
        pages = self._usable_pages(empty, options)
        if len(pages) < MIN_PAGES:
            return None
        learned_from = len(pages)
        if len(pages) > MIN_PAGES:
            learned_from = min(options.pages, len(pages) - 1)
        return Samples(
            self.form,
            tuple(pages[:learned_from]),
            tuple(pages[learned_from:]),
            empty,
            self.rendered,
            self.session,
        )

    def _usable_pages(
        self, empty: SampleAnswer | None, options: SamplingOptions
    ) -> list[SampleAnswer]:
        """Send queries until there are enough pages; return those to learn from."""
        full: list[SampleAnswer] = []
        sparse: list[SampleAnswer] = []
        idle = 0
        page = self.page
        queries = SampleQueries(page.tree, options.known_queries, page.linked_from)
        for query in islice(queries, options.queries):
            try:
                sample = self.sample(query, empty)
            except (TooManyRequests, Blocked):
                if len(full) < MIN_PAGES:
                    raise
                break
            if sample is None:
                continue
            novelty = sample.novelty
            self.progress(query, f"about {novelty.records} new")
            if novelty.is_enough:
                full.append(sample)
            else:
                sparse.append(sample)
            idle = 0 if novelty.records else idle + 1
            queries.add_results(novelty.texts, enough=novelty.is_enough)
            if len(_usable(full)) > options.pages:
                break
            if idle >= self._max_idle and not full:
                break

        if len(full) < MIN_PAGES:
            full += [sample for sample in sparse if sample.novelty.records]
        return _usable(full)

    @property
    def _max_idle(self) -> int:
        is_guess = self.page.guessed or self.form.method == TYPED
        return IDLE_QUERIES_OF_GUESS if is_guess else IDLE_QUERIES

    def sample(self, query: str, empty: SampleAnswer | None) -> SampleAnswer | None:
        """Send a query and return its page; None where the engine failed on it alone."""
        form = self._session_form() if self.session else self.form
        request = form.request(query)
        try:
            response, tree = fetch_page(request, self.sender, rendered=self.rendered)
        except (TooManyRequests, Blocked, LoginNeeded):
            raise
        except EngineError:
            if empty is None:
                raise
            return None
        if is_blocked(tree):
            raise Blocked(
                f"{response.url} answers with a bot check. Wait before trying again, or"
                " ask the site's owner."
            )
        if asks_for_login(tree, response.url):
            raise LoginNeeded(
                f"{response.url} asks for a login before it searches."
                " Engines behind a login cannot be added."
            )
        empty_novelty = None if empty is None else empty.novelty
        novelty = Novelty(tree, response.url, query, empty_novelty)
        return SampleAnswer(query, response, tree, novelty)

    def _session_form(self) -> SearchForm:
        try:
            response = self.sender.get(self.page.url)
        except ScytheError:
            return self.form
        return current_form(self.form, response) or self.form


def second_empty_page(
    page: SearchPage, samples: Samples, sender: Sender
) -> SampleAnswer | None:
    """Fetch the page for another query that finds nothing; None where that fails."""
    sampler = _Sampler(
        page,
        samples.form,
        sender,
        _no_progress,
        samples.session,
        samples.rendered,
    )
    try:
        return sampler.sample(impossible_query(f"{page.url} again"), samples.empty)
    except EngineError:
        return None


def _no_progress(_query: str, _result: str) -> None:
    """Ignore the progress."""


def _is_token(control: Control) -> bool:
    return control.kind == "hidden" and _TOKEN.fullmatch(control.value) is not None


def _usable(samples: list[SampleAnswer]) -> list[SampleAnswer]:
    """Return the pages that can be learned from."""
    return _distinct(_without_jumps(samples))


def _without_jumps(samples: list[SampleAnswer]) -> list[SampleAnswer]:
    """Drop pages that the engine redirected to past its result page: the page of the
    only record it found.
    """
    addresses = [without_query_string(sample.response.url) for sample in samples]
    counts = Counter(addresses)
    most_common = max(counts.values(), default=0)
    kept = []
    for sample, address in zip(samples, addresses, strict=True):
        is_common = counts[address] * 2 > most_common
        if is_common or not sample.response.redirected:
            kept.append(sample)
    return kept


def _distinct(samples: list[SampleAnswer]) -> list[SampleAnswer]:
    """Drop pages that have the same results as another one.

    A box that ignores the query gives the same for all.
    """
    by_results: dict[tuple[frozenset[str], tuple[str, ...]], SampleAnswer] = {}
    for sample in samples:
        novelty = sample.novelty
        results = (novelty.links, tuple(novelty.new_lines))
        by_results.setdefault(results, sample)
    return list(by_results.values())
