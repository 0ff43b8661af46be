"""Link rules: what operators say of links, by address, by list, or by a pattern of
addresses. They stand above every other test, in every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from scythe.collect.links.addresses import url_pattern
from scythe.collect.links.discovery import Decision
from scythe.collect.links.link_lists import LinkLists, path_pattern
from scythe.store.collections.link_rules import LinkRuleRow
from scythe.store.collections.links import LinkRow
from scythe.store.states import LinkDecision, RuleAction, RuleScope
from scythe.urls import url_key

RULE_REASON = "you said: "
"""How the reason of a decision begins that a rule made."""

_DECISIONS = {
    RuleAction.RECORD: LinkDecision.RECORD,
    RuleAction.WATCH: LinkDecision.INDEX,
    RuleAction.NEVER: LinkDecision.SKIP,
}


@lru_cache(maxsize=10_000)
def matches_pattern(url: str, pattern: str) -> bool:
    """Return whether an address matches a pattern in which `*` stands for anything. One
    that begins with a slash is compared with the path alone.
    """
    for form in {url, unquote(url)}:
        parts = urlsplit(form)
        path = parts.path
        if parts.query:
            path += f"?{parts.query}"
        if _matches(path if pattern.startswith("/") else form, pattern):
            return True
    return False


def _matches(text: str, pattern: str) -> bool:
    """Return whether a text is made of the pieces of a pattern in their order."""
    first, *others = pattern.split("*")
    if not others:
        return text == first
    *middle, last = others
    if not text.startswith(first):
        return False
    position = len(first)
    for piece in middle:
        found = text.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    last_position = len(text) - len(last)
    return last_position >= position and text.endswith(last)


class LinkRules:
    """The rules of a collection; of several about one link the narrowest counts, and of
    these the newest.
    """

    def __init__(self, rules: Sequence[LinkRuleRow]) -> None:
        self._by_link: dict[str, LinkRuleRow] = {}
        self._by_list: dict[tuple[str, str], LinkRuleRow] = {}
        self._patterns: list[LinkRuleRow] = []
        for rule in rules:
            match rule.scope:
                case RuleScope.LINK:
                    self._by_link[url_key(rule.value)] = rule
                case RuleScope.LIST:
                    self._by_list[url_key(rule.index_page), rule.value] = rule
                case RuleScope.PATTERN:
                    self._patterns.insert(0, rule)

    def __bool__(self) -> bool:
        return bool(self._by_link or self._by_list or self._patterns)

    def of_address(self, url: str) -> LinkRuleRow | None:
        """Return the rule about an address, wherever it is linked from."""
        rule = self._by_link.get(url_key(url))
        if rule is not None:
            return rule
        matching = (rule for rule in self._patterns if matches_pattern(url, rule.value))
        return next(matching, None)

    def of_link(
        self, url: str, index_page: str = "", list_path: str = ""
    ) -> LinkRuleRow | None:
        """Return the rule about a link in a list of an index page."""
        rule = self._by_link.get(url_key(url))
        if rule is None and self._by_list:
            rule = self._by_list.get((url_key(index_page), list_path))
        return rule or self.of_address(url)

    def of_links(
        self, index_page: str, links: Sequence[LinkRow]
    ) -> dict[int, LinkRuleRow]:
        """Return the rules about the links of one index page, by the link's number."""
        if not self:
            return {}
        lists = LinkLists(link.path for link in links)
        found: dict[int, LinkRuleRow] = {}
        for link in links:
            list_path = list_pattern(lists, link)
            rule = self.of_link(link.url, index_page, list_path)
            if rule is not None:
                found[link.id] = rule
        return found

    def forbids(self, url: str) -> bool:
        """Return whether an address is never to be asked for."""
        rule = self.of_address(url)
        return rule is not None and rule.action is RuleAction.NEVER

    def given(self, action: RuleAction) -> list[str]:
        """Return the addresses of which operators said one by one what they are."""
        rules = self._by_link.values()
        return [rule.value for rule in rules if rule.action is action]


def list_pattern(lists: LinkLists, link: LinkRow) -> str:
    """Return what identifies the list of a link on its index page: where it stands, and
    what its addresses have in common.
    """
    return f"{path_pattern(lists.find(link.path))} {url_pattern(link.url)}"


def rule_decision(rule: LinkRuleRow) -> Decision:
    """Return the decision that a rule makes."""
    return Decision(_DECISIONS[rule.action], f"{RULE_REASON}{rule.words}")


def record_keys(rules: Iterable[LinkRuleRow]) -> set[str]:
    """Return the keys of addresses that operators said are records."""
    return {
        url_key(rule.value)
        for rule in rules
        if rule.scope is RuleScope.LINK and rule.action is RuleAction.RECORD
    }
