"""The tables of what operators say of links, and of media that they keep, declared by
the classes of their rows (see `rows`); `migrations` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scythe.store.rows import declare_table
from scythe.store.states import RuleAction, RuleScope


@dataclass(frozen=True)
class LinkRuleRow:
    """What an operator said of links. No run overrules it."""

    id: int
    action: RuleAction
    scope: RuleScope
    value: str
    """The address of a link, the path of a list, or a pattern of addresses."""
    index_page: str
    """The address of the index page that has the list; empty for all else."""
    made_by: str
    made_at: datetime

    @property
    def words(self) -> str:
        """The rule as a sentence."""
        is_one = self.scope is RuleScope.LINK
        match self.action:
            case RuleAction.RECORD:
                effect = "leads to a record" if is_one else "lead to records"
            case RuleAction.WATCH:
                effect = "is an index page" if is_one else "are index pages"
            case RuleAction.NEVER:
                effect = "is never followed" if is_one else "are never followed"
        match self.scope:
            case RuleScope.LINK:
                return f"{self.value} {effect}"
            case RuleScope.LIST:
                return f"links of this list of {self.index_page} {effect}"
            case RuleScope.PATTERN:
                return f"addresses like {self.value} {effect}"


LINK_RULES = declare_table("collection_link_rules", LinkRuleRow, collection_id=int)


@dataclass(frozen=True)
class MediaRow:
    """A picture that is kept, or why it is not."""

    url: str
    hash: str | None
    content_type: str
    size: int
    note: str
    """Why there are no bytes; empty where there are."""
    fetched_at: datetime


MEDIA = declare_table(
    "collection_media", MediaRow, collection_id=int, data=bytes | None
)
