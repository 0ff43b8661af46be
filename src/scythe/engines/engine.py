"""A search engine that Scythe knows how to ask: a form, a wrapper for its answers, and
what else is needed to use it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from scythe.engines.forms.form import Form
from scythe.errors import UsageError
from scythe.wrappers.wrapper import Wrapper

if TYPE_CHECKING:
    from scythe.engines.asking.requests import Sender
    from scythe.engines.asking.results import Results
    from scythe.engines.discovery.discover import DiscoverOptions, Progress

FORMAT = 1


@dataclass(frozen=True)
class Engine:
    """Form, wrapper and manners of one search engine. It holds no connection and no
    state: any thread may use it.
    """

    name: str
    home: str
    """The page with the search form."""
    form: Form
    wrapper: Wrapper
    session: bool = False
    """Whether the form must be fetched anew before a search, for its cookies and the
    tokens in it.
    """
    rendered: bool = False
    """Whether results are built by script, so that only a browser sees them."""
    landings: tuple[str, ...] = ()
    """Where result pages are: their addresses without a query string. Results elsewhere
    are the one thing found itself.
    """
    nothing: tuple[str, ...] = ()
    """What only pages without results say, for engines that list other things there as
    if they were results.
    """
    learned_at: str = ""
    """When the wrapper was learned: UTC, ISO 8601."""
    version: int = 1
    """Counts up with every wrapper learned."""
    queries: tuple[str, ...] = field(default=())
    """The sample queries the wrapper was learned from."""

    @classmethod
    def discover(
        cls,
        url: str,
        *,
        options: DiscoverOptions | None = None,
        progress: Progress | None = None,
        sender: Sender | None = None,
    ) -> Engine:
        """The engine behind the search form of a page: form, sample queries, wrapper,
        check.

        What goes wrong is a `ScytheError` that says what to do. `progress` is told of
        each stage and what came of it.
        """
        from scythe.engines.discovery.discover import DiscoverOptions, discover

        return discover(
            url, options=options or DiscoverOptions(), progress=progress, sender=sender
        )

    def search(
        self, query: str, pages: int = 1, *, sender: Sender | None = None
    ) -> Results:
        """The records for a query, of as many result pages as asked for and there are.

        Never fails for what an engine does: `Results.status` and `.note` say what
        happened. `sender` keeps cookies and pacing over several searches; without one,
        each search is on its own.
        """
        from scythe.engines.asking.answers import ask

        return ask(self, query, pages, sender)

    def as_json(self) -> dict[str, Any]:
        """The engine as plain values, for a file or a database; a person can read and
        compare it.
        """
        return {
            "scythe": "engine",
            "format": FORMAT,
            "name": self.name,
            "home": self.home,
            "form": self.form.as_json(),
            "session": self.session,
            "rendered": self.rendered,
            "landings": list(self.landings),
            "nothing": list(self.nothing),
            "learned_at": self.learned_at,
            "version": self.version,
            "queries": list(self.queries),
            "wrapper": self.wrapper.as_json(),
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The engine that `as_json` wrote."""
        if not isinstance(values, Mapping) or values.get("scythe") != "engine":
            raise UsageError(
                "This is not a search engine. Make one with `scythe engine add`."
            )
        if values.get("format") != FORMAT:
            raise UsageError(
                f"This engine has format {values.get('format')}, not {FORMAT}: add it again with this scythe."
            )
        try:
            name, home, learned_at = (
                str(values[key]) for key in ("name", "home", "learned_at")
            )
            session, rendered = (bool(values[key]) for key in ("session", "rendered"))
            version, queries = int(values["version"]), _texts(values["queries"])
            landings, nothing = _texts(values["landings"]), _texts(values["nothing"])
            form, wrapper = (
                Form.from_json(values["form"]),
                Wrapper.from_json(values["wrapper"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"This engine is damaged ({error!r}). Add it again."
            ) from error
        return cls(
            name,
            home,
            form,
            wrapper,
            session,
            rendered,
            landings,
            nothing,
            learned_at,
            version,
            queries,
        )


def _texts(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple([str(value) for value in values])
