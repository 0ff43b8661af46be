"""From the address of a page with a search box to an engine: form, sample queries,
wrapper, check.

The left half of figure 1 of the ViNTs paper. Nothing is stored; what goes wrong is an
error that says what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from scythe.engines.asking.requests import Sender, sender_for
from scythe.engines.discovery.entrance import Entrance, find_entrance
from scythe.engines.discovery.sampling import Samples, Wanted, empty_again, take_samples
from scythe.engines.discovery.wrappers import (
    Learned,
    learn_engine,
    needs_session,
    signs_of_nothing,
)
from scythe.engines.engine import Engine
from scythe.engines.forms.form import Form
from scythe.errors import EngineError, NotLearned, ScytheError, UsageError

Progress = Callable[[str, str], None]
"""Told of each stage: its name (`page`, `form`, `query`, `learn`, `check`) and what
came of it.
"""
FORMS_TRIED = 3
"""Forms of a page that are tried, the likeliest first."""


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
    """Whether pages are looked at in a browser: None where there is one, True to
    insist, False to do without.
    """

    def __post_init__(self) -> None:
        if self.samples < 1 or self.max_queries < self.samples:
            raise UsageError(
                "DiscoverOptions: ask for at least one sample, and for no fewer queries than samples."
            )


def discover(
    url: str,
    *,
    options: DiscoverOptions | None = None,
    progress: Progress | None = None,
    sender: Sender | None = None,
) -> Engine:
    """The engine behind the search form of a page. Raises a `ScytheError` that says
    what to do where there is none.
    """
    own = sender or sender_for(url)
    try:
        return _Discovery(options or DiscoverOptions(), progress or _silent, own).run(
            url
        )
    finally:
        if sender is None:
            own.close()


def _silent(_stage: str, _detail: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, eq=False)
class _Discovery:
    options: DiscoverOptions
    progress: Progress
    sender: Sender

    def run(self, url: str) -> Engine:
        self.progress("page", url)
        entrance = find_entrance(url, self.sender, render=self.options.render)
        failures: list[ScytheError] = []
        for form in entrance.forms[:FORMS_TRIED]:
            self.progress("form", str(form))
            try:
                samples = self._samples(entrance, form)
                self.progress(
                    "learn",
                    f"{len(samples.pages)} result pages, {'rendered' if samples.rendered else 'as sent'}",
                )
                learned = learn_engine(samples, render=self.options.render)
            except NotLearned as error:
                failures.append(error)
                continue
            self.progress("check", learned.said)
            return self._engine(entrance, samples, learned)
        raise _worst(failures)

    def _samples(self, entrance: Entrance, form: Form) -> Samples:
        wanted = Wanted(
            self.options.samples, self.options.max_queries, self.options.render
        )
        return take_samples(
            entrance,
            form,
            self.sender,
            wanted,
            lambda query, found: self.progress("query", f"{query}: {found}"),
        )

    def _nothing(
        self, entrance: Entrance, samples: Samples, learned: Learned
    ) -> tuple[str, ...]:
        """How a page without results is told from others, where its records do not
        tell.
        """
        again = (
            empty_again(entrance, samples, self.sender) if learned.false_alarm else None
        )
        return (
            () if again is None else signs_of_nothing(samples, learned.wrapper, again)
        )

    def _engine(self, entrance: Entrance, samples: Samples, learned: Learned) -> Engine:
        return Engine(
            name=self.options.name or entrance.name or _name(entrance.url),
            home=entrance.url,
            form=samples.form,
            wrapper=learned.wrapper,
            session=needs_session(samples, learned.wrapper, self.sender),
            rendered=samples.rendered,
            landings=samples.landings,
            nothing=self._nothing(entrance, samples, learned),
            learned_at=datetime.now(UTC).isoformat(timespec="seconds"),
            queries=tuple([page.query for page in samples.pages]),
        )


def _worst(failures: list[ScytheError]) -> ScytheError:
    return (
        failures[0]
        if failures
        else EngineError(
            "The page has no form that could be tried. Give another page of the site."
        )
    )


def _name(url: str) -> str:
    """The host, and the port where it is not the usual one."""
    parts = urlsplit(url)
    host = (parts.hostname or "engine").removeprefix("www.")
    return f"{host}-{parts.port}" if parts.port else host
