"""Lower case by the compiled core, which must be that of Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.core.library import is_built
from scythe.core.texts import lower_bytes

pytestmark = pytest.mark.skipif(not is_built(), reason="the compiled core is not built")


@given(st.text())
def test_lower_case_is_that_of_python(text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()
    found = lower_bytes(text.encode())
    assert found in (None, text.lower().encode())


@pytest.mark.parametrize(
    "text", ["", "ABC", "Ärger im Büro", "ПОЛЕ", "麦 Field", "Ⱥ" * 9]
)
def test_common_letters_are_known(text: str) -> None:
    assert lower_bytes(text.encode()) == text.lower().encode()


@pytest.mark.parametrize("text", ["İstanbul", "ΟΔΟΣ"])
def test_letters_that_depend_on_others_are_left_to_python(text: str) -> None:
    assert lower_bytes(text.encode()) is None
