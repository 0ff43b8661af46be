"""Link rules put into effect: decisions about known links follow a rule as soon as it
is given or taken back, and records that are never wanted are hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scythe.collect.context import RunContext
from scythe.collect.links.link_lists import LinkLists
from scythe.collect.links.rules import (
    RULE_REASON,
    LinkRules,
    list_pattern,
    rule_decision,
)
from scythe.collect.steps.importer import record_url
from scythe.errors import NotStored
from scythe.store.collections.link_rules import LinkRuleRow
from scythe.store.collections.links import LinkRow, NewDecision
from scythe.store.columns import now
from scythe.store.states import LinkDecision, RecordState, RuleAction, RuleScope
from scythe.urls import url_key

MAX_EXAMPLES = 5
"""Links that a preview shows: a bound on what is shown, not tuned."""


@dataclass(frozen=True)
class LinkRulePreview:
    """What a rule would do."""

    words: str
    links: int
    """Known links that it is about."""
    before: Mapping[str, int]
    """How many of these have each decision now."""
    changed: int
    """Links that get another decision."""
    new_pages: int
    """Pages that the next run would fetch for it."""
    hidden_records: int
    """Records that would be hidden."""
    examples: Sequence[str]
    """Some addresses that it is about."""


def list_of_link(context: RunContext, url: str) -> tuple[str, str]:
    """Return what identifies the list that a link stands in, and the address of its
    index page; the largest list counts.
    """
    key = url_key(url)
    best: tuple[int, str, str] | None = None
    for index_page, links in _links_by_page(context):
        lists = LinkLists(link.path for link in links)
        patterns = [list_pattern(lists, link) for link in links]
        for link, pattern in zip(links, patterns, strict=True):
            if url_key(link.url) == key:
                found = (patterns.count(pattern), pattern, index_page)
                best = max(best, found) if best else found
    if best is None:
        raise NotStored(f"No index page has a link to {url}.")
    _, pattern, index_page = best
    return pattern, index_page


def preview_rule(
    context: RunContext,
    action: RuleAction,
    scope: RuleScope,
    value: str,
    index_page: str,
) -> LinkRulePreview:
    """Return what a rule would do; nothing is stored."""
    rule = LinkRuleRow(0, action, scope, value, index_page, "", now())
    decision = rule_decision(rule).decision
    before: Counter[str] = Counter()
    changed = 0
    urls: dict[str, None] = {}
    for link in _links_of_rule(context, rule):
        before[str(link.decision or "undecided")] += 1
        changed += link.decision != decision
        urls[link.url] = None
    if scope is RuleScope.LINK:
        urls.setdefault(value)

    pages = {url_key(page.url) for page in context.pages.iterate()}
    new_pages = 0
    if decision is not LinkDecision.SKIP:
        new_pages = sum(url_key(url) not in pages for url in urls)
    hidden = 0
    if action is RuleAction.NEVER:
        hidden = len(_excluded_records(context, rule))
    return LinkRulePreview(
        rule.words,
        before.total(),
        dict(before),
        changed,
        new_pages,
        hidden,
        list(urls)[:MAX_EXAMPLES],
    )


def apply_rules(context: RunContext, removed: Sequence[LinkRuleRow] = ()) -> None:
    """Give known links the decisions of the rules; what a removed rule decided is
    decided anew by the next run. Records follow.
    """
    rules = context.rules
    decisions: list[NewDecision] = []
    for index_page, links in _links_by_page(context):
        found = rules.of_links(index_page, links)
        for link in links:
            rule = found.get(link.id)
            if rule is not None:
                ruled = rule_decision(rule)
                has_reason = link.reason == ruled.reason
                if has_reason and link.decision == ruled.decision:
                    continue
                decision = NewDecision(link.id, ruled.decision, ruled.reason)
                decisions.append(decision)
            elif link.reason.startswith(RULE_REASON):
                decisions.append(NewDecision(link.id, None, ""))
    context.links.decide(decisions, context.run)

    for rule in removed:
        hidden = context.records.hidden_by(_name(rule))
        context.records.show(hidden, _name(rule), draft=context.makes_drafts)
    for rule in context.link_rules.all():
        if rule.action is RuleAction.NEVER:
            context.records.hide(_excluded_records(context, rule), _name(rule))


def _name(rule: LinkRuleRow) -> str:
    """Return who hides the records of a rule."""
    return f"link rule {rule.id}"


def _links_by_page(context: RunContext) -> Iterator[tuple[str, list[LinkRow]]]:
    for page in context.index_pages.all():
        links = context.links.all(index_page=page.id)
        yield page.url, list(links)


def _links_of_rule(context: RunContext, rule: LinkRuleRow) -> Iterator[LinkRow]:
    """Yield the links that a rule is about."""
    alone = LinkRules([rule])
    for index_page, links in _links_by_page(context):
        found = alone.of_links(index_page, links)
        for link in links:
            if link.id in found:
                yield link


def _excluded_records(context: RunContext, rule: LinkRuleRow) -> list[str]:
    """Return the keys of records that a rule says are never wanted: by their addresses,
    or by those that lead to them.
    """
    alone = LinkRules([rule])
    excluded: set[str] = set()
    for page in context.pages.iterate():
        if page.final_url and alone.forbids(page.url):
            key = url_key(record_url(page))
            excluded.add(key)
    followed = context.links.urls(LinkDecision.RECORD)
    excluded.difference_update(map(url_key, followed))
    if rule.scope is RuleScope.LIST:
        for link in _links_of_rule(context, rule):
            key = url_key(link.url)
            excluded.add(key)

    keys = []
    for record in context.records.all():
        if record.state == RecordState.HIDDEN:
            continue
        if record.key in excluded or alone.forbids(record.url):
            keys.append(record.key)
    return keys
