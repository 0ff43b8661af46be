"""Index pages and links of a collection, and what operators say of them."""

from __future__ import annotations

from collections.abc import Iterator

from scythe.collect.facade.base import OPERATOR, CollectionPart
from scythe.collect.steps.link_ruling import (
    LinkRulePreview,
    apply_rules,
    list_of_link,
    preview_rule,
)
from scythe.errors import UsageError
from scythe.store.collections import overviews
from scythe.store.collections.index_pages import IndexPageRow, NewIndexPage
from scythe.store.collections.link_rules import LinkRuleRow
from scythe.store.collections.links import LinkRow
from scythe.store.collections.overviews import LinkFilter, Pagination
from scythe.store.states import IndexPageKind, RuleAction, RuleScope
from scythe.urls import fetchable_url, require_no_login, url_key


class CollectionLinks(CollectionPart):
    """The links of a collection."""

    def index_pages(self) -> list[IndexPageRow]:
        """Return the index pages that are visited."""
        return self._context.index_pages.all()

    def links(self) -> Iterator[LinkRow]:
        """Yield every link that index pages have or had, with what was decided about it
        and why.
        """
        return self._context.links.all()

    def find_links(
        self, link_filter: LinkFilter, pagination: Pagination
    ) -> tuple[list[LinkRow], int]:
        """Return a part of the links that pass a filter, in the order they were found,
        and how many there are.
        """
        return overviews.load_links(self.store, self.row.id, link_filter, pagination)

    def count_links(self) -> dict[str, int]:
        """Return how many links there are of each decision."""
        return overviews.count_links(self.store, self.row.id)

    def skipped_links(self) -> dict[str, int]:
        """Return how many links were skipped, by the reason, the most frequent first."""
        return overviews.count_skipped(self.store, self.row.id)

    # What operators say

    def link_rules(self) -> list[LinkRuleRow]:
        """Return what operators said of links, the oldest first."""
        return self._context.link_rules.all()

    def preview_link_rule(
        self,
        action: RuleAction | str,
        value: str,
        scope: RuleScope | str = RuleScope.LINK,
    ) -> LinkRulePreview:
        """Return what a rule would do; nothing is stored."""
        rule = self._checked_rule(action, value, scope)
        return preview_rule(self._context, *rule)

    def add_link_rule(
        self,
        action: RuleAction | str,
        value: str,
        scope: RuleScope | str = RuleScope.LINK,
        *,
        by: str = OPERATOR,
    ) -> LinkRuleRow:
        """Say what links are: `record`, `watch` (an index page) or `never`; return the
        rule. No run overrules it; `remove_link_rule` takes it back.

        `value` is the address of a link; with the scope `list` that of any link in the
        list; with `pattern` a pattern of addresses in which `*` stands for anything.
        """
        rule_action, rule_scope, address, index_page = self._checked_rule(
            action, value, scope
        )
        context = self._context
        rule = context.link_rules.add(rule_action, rule_scope, address, index_page, by)
        if rule_action is RuleAction.WATCH and rule_scope is RuleScope.LINK:
            page = NewIndexPage(address, IndexPageKind.HTML, rule.words)
            context.index_pages.add([page])
        apply_rules(context)
        return rule

    def remove_link_rule(self, number: int) -> None:
        """Take a rule back: the next run decides about its links itself."""
        context = self._context
        rule = context.link_rules.get(number)
        context.link_rules.remove(number)
        is_watched = rule.action is RuleAction.WATCH
        if is_watched and rule.scope is RuleScope.LINK:
            self._remove_index_page(rule.value)
        apply_rules(context, [rule])

    def start_pages(self) -> list[str]:
        """Return the addresses that runs start from."""
        added = self._context.rules.given(RuleAction.WATCH)
        return [self.row.url, *added]

    def add_start_page(self, url: str, *, by: str = OPERATOR) -> LinkRuleRow:
        """Add an address that runs start from; its own rule takes it back."""
        return self.add_link_rule(RuleAction.WATCH, url, by=by)

    def remove_start_page(self, url: str) -> None:
        """Take an added start page away, with the links it has."""
        url = fetchable_url(url, self.row.url) or url
        key = url_key(url)
        for rule in self.link_rules():
            is_watched = rule.action is RuleAction.WATCH
            is_start = is_watched and rule.scope is RuleScope.LINK
            if is_start and url_key(rule.value) == key:
                self.remove_link_rule(rule.id)
                return
        raise UsageError(
            f"{url} is no start page that was added. "
            "The first one is the address of the collection: change that instead."
        )

    def _remove_index_page(self, url: str) -> None:
        key = url_key(url)
        if key == url_key(self.row.url):
            return
        for page in self.index_pages():
            if url_key(page.url) == key:
                self._context.index_pages.remove(page.id)

    def _checked_rule(
        self, action: RuleAction | str, value: str, scope: RuleScope | str
    ) -> tuple[RuleAction, RuleScope, str, str]:
        """Return a rule as it is stored: action, scope, value and index page."""
        try:
            rule_action, rule_scope = RuleAction(action), RuleScope(scope)
        except ValueError as error:
            raise UsageError(
                f"{error}. Links are {', '.join(RuleAction)}, "
                f"by {', '.join(RuleScope)}."
            ) from None
        if rule_scope is RuleScope.PATTERN:
            pattern = value.strip()
            if not pattern.strip("*/"):
                raise UsageError(
                    f"{value!r} matches every address. Write more of it, "
                    "such as /recipes/*."
                )
            return rule_action, rule_scope, pattern, ""
        require_no_login(value)
        address = fetchable_url(value, self.row.url)
        if address is None:
            raise UsageError(f"{value} is no address of the web.")
        if rule_scope is RuleScope.LIST:
            return (rule_action, rule_scope, *list_of_link(self._context, address))
        return rule_action, rule_scope, address, ""
