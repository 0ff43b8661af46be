"""A wrapper: all that is needed to read the records of any later page of the same kind,
without a browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from scythe.errors import UsageError
from scythe.serialization import Serializable
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.wrappers.fields import Fields
from scythe.wrappers.located import Located
from scythe.wrappers.outcome import Expectation, judged
from scythe.wrappers.record import Page, Records
from scythe.wrappers.rule import Rule
from scythe.wrappers.vints.rule import Separated

VERSION = 1
RULES: Mapping[str, type[Rule]] = {rule.KIND: rule for rule in (Located, Separated)}


@dataclass(frozen=True)
class Wrapper(Serializable):
    """A rule that cuts a page into records, the columns of those records, and what to
    expect of a page that fits.
    """

    LABEL: ClassVar[str] = "wrapper"

    rule: Rule
    fields: Fields
    expected: Expectation

    def extract(
        self,
        html: bytes | str,
        url: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        charset: str | None = None,
    ) -> Records:
        """The records of a page. `url` makes links absolute; `charset` is what the
        transport declared.
        """
        return self.read(parse(html, limits, charset), url)

    def read(self, tree: Tree, url: str | None = None) -> Records:
        """The records of a page that is parsed already.

        A wrapper that no longer fits says so: the status is never `ok` where the
        records cannot be trusted.
        """
        return judged(Page(tree, self.rule.cut(tree), self.fields, url), self.expected)

    def as_json(self) -> dict[str, Any]:
        """The wrapper as plain values, for a file that a person can read and compare."""
        return {
            "scythe": "wrapper",
            "version": VERSION,
            "rule": {"kind": self.rule.KIND, **self.rule.as_json()},
            "fields": self.fields.as_json(),
            "expected": self.expected.as_json(),
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The wrapper that `as_json` wrote."""
        if not isinstance(values, Mapping) or values.get("scythe") != "wrapper":
            raise UsageError(
                "This is not a wrapper. Make one with `scythe wrapper learn`."
            )
        if values.get("version") != VERSION:
            raise UsageError(
                f"This wrapper has version {values.get('version')}, not {VERSION}: learn it again with this scythe."
            )
        try:
            rule = RULES[values["rule"]["kind"]].from_json(values["rule"])
            return cls(
                rule,
                Fields.from_json(values["fields"]),
                Expectation.from_json(values["expected"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UsageError(
                f"This wrapper is damaged ({error!r}). Learn it again."
            ) from error
