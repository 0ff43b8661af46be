"""Phrases of walls: the stems that are looked for first leave none of them out."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scythe.content.walls import account_forms, finder
from scythe.tree.phrases import Phrases

ALL_PHRASES = {
    name: value
    for module in (account_forms, finder)
    for name, value in vars(module).items()
    if isinstance(value, Phrases)
}


@pytest.mark.parametrize("name", ALL_PHRASES)
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=200, deadline=None)
@given(data=st.data())
def test_every_phrase_has_a_stem(name: str, data: st.DataObject) -> None:
    phrases = ALL_PHRASES[name]
    pattern = data.draw(st.sampled_from(phrases.phrases))
    text = data.draw(st.from_regex(re.compile(pattern, re.IGNORECASE)))
    if re.search(pattern, text, re.IGNORECASE):
        assert phrases.are_in(text)


def test_a_text_without_any_stem_has_no_phrase() -> None:
    phrases = Phrases(("found",), r"\bnot found\b")
    assert phrases.are_in("Page Not Found")
    assert not phrases.are_in("The lost and found")
    assert not phrases.are_in("A page")
    assert phrases.are_in_any(("A page", "not found"))
