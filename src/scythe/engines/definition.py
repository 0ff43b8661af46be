"""A search engine as data: its form, the wrapper of its results, and how it is used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from scythe.engines.forms.form import SearchForm
from scythe.errors import UsageError
from scythe.wrappers.wrapper import Wrapper

FORMAT = 1


@dataclass(frozen=True)
class EngineDefinition:
    """What is known of one search engine.

    It holds no connection and no state: any thread may use it.
    """

    name: str
    home: str
    """The page with the search form."""
    form: SearchForm
    wrapper: Wrapper
    session: bool = False
    """Whether the form must be fetched anew before a search, for its cookies and the
    tokens in it.
    """
    rendered: bool = False
    """Whether results are built by script, so that only a browser sees them."""
    landings: tuple[str, ...] = ()
    """The addresses of result pages, without query strings. An answer elsewhere is the
    page of the only record that the engine found.
    """
    no_result_lines: tuple[str, ...] = ()
    """Lines that only pages without results have, for engines that list other records
    there as if they were results.
    """
    learned_at: str = ""
    """When the wrapper was learned: UTC, ISO 8601."""
    version: int = 1
    """Counts up with every wrapper learned."""
    queries: tuple[str, ...] = ()
    """The sample queries the wrapper was learned from."""

    def as_json(self) -> dict[str, Any]:
        """Return the engine as plain values, which a person can read and compare."""
        return {
            "scythe": "engine",
            "format": FORMAT,
            "name": self.name,
            "home": self.home,
            "form": self.form.as_json(),
            "session": self.session,
            "rendered": self.rendered,
            "landings": list(self.landings),
            "nothing": list(self.no_result_lines),
            "learned_at": self.learned_at,
            "version": self.version,
            "queries": list(self.queries),
            "wrapper": self.wrapper.as_json(),
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Return the engine that `as_json` wrote."""
        is_engine = isinstance(values, Mapping) and values.get("scythe") == "engine"
        if not is_engine:
            raise UsageError(
                "This is not a search engine. Make one with `scythe engine add`."
            )
        if values.get("format") != FORMAT:
            raise UsageError(
                f"This engine has format {values.get('format')}, not {FORMAT}:"
                " add it again with this scythe."
            )
        try:
            return cls(
                name=str(values["name"]),
                home=str(values["home"]),
                form=SearchForm.from_json(values["form"]),
                wrapper=Wrapper.from_json(values["wrapper"]),
                session=bool(values["session"]),
                rendered=bool(values["rendered"]),
                landings=_texts(values["landings"]),
                no_result_lines=_texts(values["nothing"]),
                learned_at=str(values["learned_at"]),
                version=int(values["version"]),
                queries=_texts(values["queries"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"This engine is damaged ({error!r}). Add it again."
            ) from error


def _texts(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(map(str, values))
