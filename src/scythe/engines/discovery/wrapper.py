"""The wrapper of an engine: learned from sample pages, and checked against what only
result pages have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from scythe.engines.asking.search import fetch_page
from scythe.engines.asking.sender import Sender
from scythe.engines.discovery.samples import SampleAnswer, Samples
from scythe.errors import NotLearned, ScytheError, UsageError
from scythe.render.shared import load_tree
from scythe.tree import Tree
from scythe.tree.text import plain_text, visible_text
from scythe.tree.visibility import visible
from scythe.wrappers.learn import Method, learn_from
from scythe.wrappers.record import RecordsStatus
from scythe.wrappers.wrapper import Wrapper

GOOD_AGREEMENT = 0.8
"""Agreement from which a wrapper is taken without trying another way to learn it."""
POOR_AGREEMENT = 0.3
"""Agreement below which records are not those of the engine: a menu, or a box that
every page has.
"""
FALSE_ALARM_FACTOR = 0.7
"""Factor on the agreement of a wrapper that finds records on the page without results."""
SHORTEST_NO_RESULT_LINE = 8
"""Letters that a line needs to be a sign of no results: shorter ones stand by chance."""
MAX_NO_RESULT_LINES = 3
"""Such lines that are stored: a bound on size, not tuned."""


@dataclass(frozen=True, eq=False)
class CheckedWrapper:
    """A wrapper, and the result of its check."""

    wrapper: Wrapper
    agreement: float
    summary: str
    """The result in words."""
    false_alarm: bool = False
    """Whether it finds records on the page without results."""


def learn_wrapper(samples: Samples, *, render: bool | None = None) -> CheckedWrapper:
    """Return the wrapper that agrees best with what is new on result pages, those not
    learned from included.
    """
    best: CheckedWrapper | None = None
    for wrapper in _candidate_wrappers(samples, render=render):
        checked = _check(wrapper, samples)
        if best is None or checked.agreement > best.agreement:
            best = checked
        if best.agreement >= GOOD_AGREEMENT:
            break
    if best is None or best.agreement < POOR_AGREEMENT:
        raise NotLearned(
            f"Results came back from {samples.form.action}, but no records were found"
            " that its pages have in common. Its result pages may not be lists; look at"
            " one with `scythe records`."
        )
    return best


def _candidate_wrappers(samples: Samples, *, render: bool | None) -> Iterator[Wrapper]:
    """Yield wrappers learned in several ways, the best first.

    Best are pages as a browser shows them, with the page without results. ViNTs is the
    last: it also cuts records that no element holds, such as lines between line breaks.
    """
    trees = _trees(samples.pages, samples, render=render)
    empty = None
    if samples.empty is not None:
        empty = _trees([samples.empty], samples, render=render)[0]

    attempts: list[tuple[Sequence[Tree], Tree | None, Method]] = []
    attempts.append((trees, empty, "auto"))
    if empty is not None:
        attempts.append((trees, None, "auto"))
    has_boxes = any(tree.box is not None for tree in trees)
    if has_boxes and not samples.rendered:
        sent_trees = [page.tree for page in samples.pages]
        sent_empty = None if samples.empty is None else samples.empty.tree
        attempts.append((sent_trees, sent_empty, "auto"))
    attempts.append((trees, empty, "vints"))

    for result_trees, no_result, method in attempts:
        try:
            yield learn_from(result_trees, no_result, method=method)
        except UsageError:
            continue


def _trees(
    pages: Sequence[SampleAnswer], samples: Samples, *, render: bool | None
) -> list[Tree]:
    if samples.rendered:
        return [page.tree for page in pages]
    return [load_tree(page.html, page.response.url, render=render) for page in pages]


def _check(wrapper: Wrapper, samples: Samples) -> CheckedWrapper:
    """Return how well a wrapper reads the pages it was learned from and the others."""
    agreement = _mean_agreement(wrapper, samples.pages)
    if samples.held_out:
        agreement += _mean_agreement(wrapper, samples.held_out)
        agreement /= 2

    counts = [len(wrapper.rule.cut(page.tree)) for page in samples.all_pages]
    summary = (
        f"{min(counts)} to {max(counts)} records a page, agreement {agreement:.2f}"
    )
    false_alarm = False
    if samples.empty is not None:
        no_records = wrapper.read(samples.empty.tree)
        false_alarm = no_records.status is RecordsStatus.OK
    if false_alarm:
        summary += ", records also on the page without results"
        agreement *= FALSE_ALARM_FACTOR
    return CheckedWrapper(wrapper, agreement, summary, false_alarm)


def _mean_agreement(wrapper: Wrapper, pages: Sequence[SampleAnswer]) -> float:
    return fmean([_agreement(wrapper, page) for page in pages])


def _agreement(wrapper: Wrapper, page: SampleAnswer) -> float:
    records = wrapper.read(page.tree, page.response.url)
    if records.status is not RecordsStatus.OK:
        return 0.0
    spans = [record.span for record in records]
    return page.novelty.agreement(spans)


def no_result_lines(
    samples: Samples, wrapper: Wrapper, second_empty: SampleAnswer
) -> tuple[str, ...]:
    """Return the lines outside the records that only pages without results have.

    `second_empty` is the page for another query that finds nothing: lines that both
    pages have are not there by chance.
    """
    if samples.empty is None:
        return ()
    result_lines: set[str] = set()
    for page in samples.all_pages:
        result_lines.update(visible_text(page.tree).splitlines())
    second_lines = set(_lines_outside_records(wrapper, second_empty))

    lines = []
    for line in _lines_outside_records(wrapper, samples.empty):
        is_long = len(line) >= SHORTEST_NO_RESULT_LINE
        if is_long and line in second_lines and line not in result_lines:
            lines.append(line)
    return tuple(lines[:MAX_NO_RESULT_LINES])


def _lines_outside_records(wrapper: Wrapper, page: SampleAnswer) -> list[str]:
    outside = visible(page.tree).copy()
    for span in wrapper.rule.cut(page.tree):
        outside[span.start : span.stop] = False
    return plain_text(page.tree, outside).splitlines()


def needs_session(samples: Samples, wrapper: Wrapper, sender: Sender) -> bool:
    """Return whether a visitor without cookies, and with a form fetched earlier, gets no
    results.
    """
    if samples.rendered or not (sender.has_cookies() or samples.session):
        return False
    page = samples.pages[0]
    request = samples.form.request(page.query)
    with sender.without_cookies() as stranger:
        try:
            _, tree = fetch_page(request, stranger, rendered=False)
        except ScytheError:
            return True
    records = wrapper.rule.cut(tree)
    expected = wrapper.rule.cut(page.tree)
    return len(records) < len(expected)
