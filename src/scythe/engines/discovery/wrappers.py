"""The wrapper of an engine: learned from sample pages, and checked against what only
result pages have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from scythe.engines.asking.answers import fetch
from scythe.engines.asking.requests import Sender
from scythe.engines.discovery.sampling import Sample, Samples
from scythe.errors import NotLearned, ScytheError, UsageError
from scythe.render.shared import load_tree
from scythe.tree import Tree
from scythe.tree.text import plain_text, visible_text
from scythe.tree.visibility import visible
from scythe.wrappers.learn import Method, learn_from
from scythe.wrappers.record import RecordsStatus
from scythe.wrappers.wrapper import Wrapper

RIGHT = 0.8
"""Agreement from which a wrapper is taken without trying another way to learn it."""
WRONG = 0.3
"""Agreement below which records are not those of the engine: a menu, or a box that
every page has.
"""
SHORTEST_SIGN, SIGNS = 8, 3
"""Letters of a line that can be a sign of no results, and how many such lines are kept."""
FALSE_ALARM = 0.7
"""What the agreement of a wrapper is worth that finds records on the page without
results.
"""


@dataclass(frozen=True, eq=False)
class Learned:
    """A wrapper, and what its check said."""

    wrapper: Wrapper
    agreement: float
    said: str
    false_alarm: bool = False
    """Whether it finds records on the page without results."""


def learn_engine(samples: Samples, *, render: bool | None = None) -> Learned:
    """The wrapper that agrees best with what is new on result pages, those not learned
    from included.
    """
    best: Learned | None = None
    for wrapper in _wrappers(samples, render=render):
        found = _checked(wrapper, samples)
        if best is None or found.agreement > best.agreement:
            best = found
        if best.agreement >= RIGHT:
            break
    if best is None or best.agreement < WRONG:
        raise NotLearned(
            f"Results came back from {samples.form.action}, but no records were found that its pages have in common."
            " Its result pages may not be lists; look at one with `scythe records`."
        )
    return best


def _wrappers(samples: Samples, *, render: bool | None) -> Iterator[Wrapper]:
    """Ways to learn the wrapper, the best first: pages as a browser shows them, with
    the page without results.

    The method of the paper is the last: it also cuts records that no element holds,
    such as lines between line breaks.
    """
    looked = _trees(samples.pages, samples, render=render)
    empty = (
        None
        if samples.empty is None
        else _trees([samples.empty], samples, render=render)[0]
    )
    ways: list[tuple[Sequence[Tree], Tree | None, Method]] = [(looked, empty, "auto")]
    if empty is not None:
        ways.append((looked, None, "auto"))
    if any(tree.box is not None for tree in looked) and not samples.rendered:
        ways.append(
            (
                [page.tree for page in samples.pages],
                None if samples.empty is None else samples.empty.tree,
                "auto",
            )
        )
    ways.append((looked, empty, "vints"))
    for trees, no_result, method in ways:
        try:
            yield learn_from(trees, no_result, method=method)
        except UsageError:
            continue


def _trees(
    pages: Sequence[Sample], samples: Samples, *, render: bool | None
) -> list[Tree]:
    if samples.rendered:
        return [page.tree for page in pages]
    return [load_tree(page.html, page.answer.url, render=render) for page in pages]


def _checked(wrapper: Wrapper, samples: Samples) -> Learned:
    """How a wrapper reads the pages it was learned from and those kept for the check."""
    known, fresh = (
        [_agreement(wrapper, page) for page in pages]
        for pages in (samples.pages, samples.spare)
    )
    agreement = fmean([fmean(known), fmean(fresh)] if fresh else known)
    false_alarm = (
        samples.empty is not None
        and wrapper.read(samples.empty.tree).status is RecordsStatus.OK
    )
    counts = [
        len(wrapper.rule.cut(page.tree)) for page in (*samples.pages, *samples.spare)
    ]
    said = f"{min(counts)} to {max(counts)} records a page, agreement {agreement:.2f}"
    if false_alarm:
        said += ", records also on the page without results"
    return Learned(
        wrapper, agreement * (FALSE_ALARM if false_alarm else 1.0), said, false_alarm
    )


def _agreement(wrapper: Wrapper, page: Sample) -> float:
    records = wrapper.read(page.tree, page.answer.url)
    return (
        page.novelty.agreement([record.span for record in records])
        if records.status is RecordsStatus.OK
        else 0.0
    )


def signs_of_nothing(
    samples: Samples, wrapper: Wrapper, again: Sample
) -> tuple[str, ...]:
    """What pages without results say outside their records, and no page with results
    does.

    `again` is the page for other words that nobody wrote: what both say is not by
    chance.
    """
    if samples.empty is None:
        return ()
    with_results = {
        line
        for page in (*samples.pages, *samples.spare)
        for line in visible_text(page.tree).splitlines()
    }
    one, other = (_lines_around(wrapper, page) for page in (samples.empty, again))
    said = [
        line
        for line in one
        if line in set(other)
        and line not in with_results
        and len(line) >= SHORTEST_SIGN
    ]
    return tuple(said[:SIGNS])


def _lines_around(wrapper: Wrapper, page: Sample) -> list[str]:
    outside = visible(page.tree)
    for span in wrapper.rule.cut(page.tree):
        outside[span.start : span.stop] = False
    return plain_text(page.tree, outside).splitlines()


def needs_session(samples: Samples, wrapper: Wrapper, sender: Sender) -> bool:
    """Whether a visitor who comes without cookies, and with a form fetched earlier,
    gets no results.
    """
    if samples.rendered or not (sender.has_cookies() or samples.session):
        return False
    page = samples.pages[0]
    with sender.fresh() as stranger:
        try:
            _, tree = fetch(samples.form.request(page.query), stranger, rendered=False)
        except ScytheError:
            return True
    return len(wrapper.rule.cut(tree)) < len(wrapper.rule.cut(page.tree))
