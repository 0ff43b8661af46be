"""Sample result pages: queries are sent until there are enough pages with enough
records, and one page without any.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from scythe.content.status import is_blocked
from scythe.engines.asking.answers import fetch, place_of, same_form
from scythe.engines.asking.requests import Answer, Sender
from scythe.engines.discovery.entrance import Entrance
from scythe.engines.discovery.novelty import Novelty
from scythe.engines.discovery.queries import Queries, impossible_query
from scythe.engines.forms.finding import asks_for_login
from scythe.engines.forms.form import QUERY, Control, Form
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

Told = Callable[[str, str], None]
"""Told of each query and what came back."""
PATIENCE = 8
"""Queries without anything new after which a form is given up: with the words of a site
and frequent ones among them, an engine that has something has shown it by then.
"""
PATIENCE_WITH_GUESSES = 3
"""The same for a form that is guessed for a box without one."""
FEWEST = 2
"""Result pages that a wrapper is learned from at the least."""
_TOKEN = re.compile(r"(?=.*\d)[\w+/=.:-]{16,}")
"""Hidden values that look made for one visitor."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A result page."""

    query: str
    answer: Answer
    tree: Tree
    novelty: Novelty

    @property
    def html(self) -> str:
        """The page as text."""
        return decode(self.answer.data, self.answer.charset).text


@dataclass(frozen=True, eq=False)
class Samples:
    """The pages to learn an engine from."""

    form: Form
    pages: tuple[Sample, ...]
    spare: tuple[Sample, ...]
    """Result pages that are kept for the check."""
    empty: Sample | None
    """The page for words that nobody wrote."""
    rendered: bool
    """Whether only a browser sees the results."""
    session: bool
    """Whether the form was fetched before each query."""

    @property
    def landings(self) -> tuple[str, ...]:
        """Where the result pages are; nothing where each is elsewhere."""
        places = sorted(
            {place_of(page.answer.url) for page in (*self.pages, *self.spare)}
        )
        return tuple(places) if len(places) <= max(len(self.pages) // 2, 1) else ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """How samples are taken."""

    pages: int
    """Result pages to learn from; one more is kept for the check."""
    queries: int
    """Queries to send at most."""
    render: bool | None = None
    """Whether a browser may look at pages that have nothing as they are sent: None
    where there is one.
    """

    @property
    def browser(self) -> bool:
        """Whether there is a browser to use."""
        return self.render is not False and browser_available()


def take_samples(
    entrance: Entrance, form: Form, sender: Sender, wanted: Wanted, told: Told
) -> Samples:
    """The sample pages of an engine.

    Where a form that was fetched once is not good for several queries, it is fetched
    before each; where the pages have nothing, a browser looks at them.
    """
    plain = _Asking(
        entrance, form, sender, told, session=any(map(_is_token, form.controls))
    )
    ways = [plain]
    if not plain.session and any(control.kind == "hidden" for control in form.controls):
        ways.append(replace(plain, session=True))
    if form.method == "get" and wanted.browser:
        ways.append(replace(plain, rendered=True))
        if (
            QUERY in urlsplit(form.action).fragment
        ):  # what follows the # is for scripts alone, servers never see it
            ways = ways[-1:]
    refusal: ScytheError | None = None
    for way in ways:
        try:
            samples = way.samples(wanted)
        except (Blocked, FetchError, RenderError) as error:
            refusal = refusal or error
            continue
        if samples is not None:
            return samples
    raise refusal or NotLearned(
        f"Of the sample queries, too few found anything at {form.action}. Check that its search works in a browser;"
        " give the page of another search box if it has several."
    )


@dataclass(frozen=True, eq=False)
class _Asking:
    entrance: Entrance
    form: Form
    sender: Sender
    told: Told
    session: bool = False
    rendered: bool = False

    def samples(self, wanted: Wanted) -> Samples | None:
        """The pages, None where nothing of use came back."""
        empty = self.sample(impossible_query(origin(self.entrance.url)), None)
        good, poor, idle = list[Sample](), list[Sample](), 0
        queries = Queries(self.entrance.tree)
        for _, query in zip(range(wanted.queries), queries, strict=False):
            try:
                page = self.sample(query, empty)
            except (TooManyRequests, Blocked):
                if len(good) < FEWEST:
                    raise
                break
            if page is None:
                continue
            news = page.novelty
            self.told(query, f"about {news.records} new")
            (good if news.enough else poor).append(page)
            idle = 0 if news.records else idle + 1
            queries.found(news.texts, enough=news.enough)
            if len(_usable(good)) > wanted.pages or (
                idle >= self._patience and not good
            ):
                break
        pages = _usable(
            good
            if len(good) >= FEWEST
            else [*good, *[page for page in poor if page.novelty.records]]
        )
        if len(pages) < FEWEST:
            return None
        cut = min(wanted.pages, len(pages) - 1) if len(pages) > FEWEST else len(pages)
        return Samples(
            self.form,
            tuple(pages[:cut]),
            tuple(pages[cut:]),
            empty,
            self.rendered,
            self.session,
        )

    @property
    def _patience(self) -> int:
        return PATIENCE_WITH_GUESSES if self.entrance.guessed else PATIENCE

    def sample(self, query: str, empty: Sample | None) -> Sample | None:
        """The answer to a query; None where the engine failed on it alone."""
        form = self._fresh_form() if self.session else self.form
        try:
            answer, tree = fetch(
                form.request(query), self.sender, rendered=self.rendered
            )
        except (TooManyRequests, Blocked, LoginNeeded):
            raise
        except EngineError:
            if empty is None:
                raise
            return None
        if is_blocked(tree):
            raise Blocked(
                f"{answer.url} answers with a bot check. Wait before trying again, or ask the site's owner."
            )
        if asks_for_login(tree, answer.url):
            raise LoginNeeded(
                f"{answer.url} asks for a login before it searches. Engines behind a login cannot be added."
            )
        return Sample(
            query,
            answer,
            tree,
            Novelty(tree, answer.url, query, None if empty is None else empty.novelty),
        )

    def _fresh_form(self) -> Form:
        try:
            answer = self.sender.get(self.entrance.url)
        except ScytheError:
            return self.form
        return same_form(self.form, answer) or self.form


def empty_again(entrance: Entrance, samples: Samples, sender: Sender) -> Sample | None:
    """The page for other words that nobody wrote; None where it cannot be had."""
    asking = _Asking(
        entrance, samples.form, sender, _untold, samples.session, samples.rendered
    )
    try:
        return asking.sample(impossible_query(f"{entrance.url} again"), samples.empty)
    except EngineError:
        return None


def _untold(_query: str, _found: str) -> None:
    """Tell nobody."""


def _is_token(control: Control) -> bool:
    return control.kind == "hidden" and _TOKEN.fullmatch(control.value) is not None


def _usable(pages: list[Sample]) -> list[Sample]:
    """The pages that can be learned from."""
    return _distinct(_at_home(pages))


def _at_home(pages: list[Sample]) -> list[Sample]:
    """Without those that the engine led elsewhere: past its result page to the one
    thing it found.
    """
    places = Counter(place_of(page.answer.url) for page in pages)
    usual = max(places.values(), default=0)
    return [
        page
        for page in pages
        if not page.answer.redirected or places[place_of(page.answer.url)] * 2 > usual
    ]


def _distinct(pages: list[Sample]) -> list[Sample]:
    """Without pages that show what another one shows; a box that ignores the query
    gives the same for all.
    """
    shown: dict[tuple[frozenset[str], tuple[str, ...]], Sample] = {}
    for page in pages:
        shown.setdefault((page.novelty.links, tuple(page.novelty.new_lines)), page)
    return list(shown.values())
