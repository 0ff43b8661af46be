"""Link rules: what operators said of links. They are given and taken back, and no run
changes any.
"""

from __future__ import annotations

from sqlalchemy import delete, insert

from scythe.errors import AlreadyStored, NotStored
from scythe.store.columns import now
from scythe.store.operator_tables import LINK_RULES, LinkRuleRow
from scythe.store.rows import read_all, select_rows
from scythe.store.states import RuleAction, RuleScope
from scythe.store.store import Store

__all__ = ["LinkRuleRow", "LinkRuleRows"]


class LinkRuleRows:
    """The link rules of one collection, the oldest first."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._in_collection = LINK_RULES.c.collection_id == collection_id

    def all(self) -> list[LinkRuleRow]:
        """Return all rules."""
        query = (
            select_rows(LINK_RULES, LinkRuleRow)
            .where(self._in_collection)
            .order_by(LINK_RULES.c.id)
        )
        with self._store.reading() as connection:
            return read_all(connection, query, LinkRuleRow)

    def get(self, number: int) -> LinkRuleRow:
        """Return a rule by its number."""
        for rule in self.all():
            if rule.id == number:
                return rule
        raise NotStored(
            f"There is no link rule {number}. It may be taken back already."
        )

    def add(
        self,
        action: RuleAction,
        scope: RuleScope,
        value: str,
        index_page: str = "",
        made_by: str = "",
    ) -> LinkRuleRow:
        """Store a rule in place of the one about the same links; return it."""
        is_same = (
            self._in_collection
            & (LINK_RULES.c.scope == scope)
            & (LINK_RULES.c.value == value)
            & (LINK_RULES.c.index_page == index_page)
        )
        insertion = insert(LINK_RULES).values(
            collection_id=self._collection,
            action=action,
            scope=scope,
            value=value,
            index_page=index_page,
            made_by=made_by,
            made_at=now(),
        )
        try:
            with self._store.writing() as connection:
                connection.execute(delete(LINK_RULES).where(is_same))
                number: int = connection.execute(
                    insertion.returning(LINK_RULES.c.id)
                ).scalar_one()
        except AlreadyStored as error:
            raise AlreadyStored(
                "Somebody gave a rule about the same links just now. Look at it first."
            ) from error
        return self.get(number)

    def remove(self, number: int) -> None:
        """Take a rule back."""
        is_rule = self._in_collection & (LINK_RULES.c.id == number)
        with self._store.writing() as connection:
            connection.execute(delete(LINK_RULES).where(is_rule))
