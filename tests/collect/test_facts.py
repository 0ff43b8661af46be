"""Facts: what tells pages of records from guides that are built like them."""

from __future__ import annotations

from scythe.collect.pages.facts import RecordFacts

PHONES = [
    {
        "ram": [f"{number} GB"],
        "released": [f"201{number}"],
        "battery": [f"{number}000 mAh"],
        "screen": [f"{number} in"],
        "note": [f"This page was made for phone {number}. " * 5],
        "made by": ["the makers"],
    }
    for number in range(1, 5)
]


def test_facts_differ_from_page_to_page_and_are_short() -> None:
    facts = RecordFacts.of_pages(PHONES)
    assert set(facts.labels) == {"ram", "released", "battery", "screen"}
    assert facts.are_enough


def test_labels_of_few_pages_are_no_facts() -> None:
    pages = [*PHONES[:3], {**PHONES[3], "carrier": ["one"]}]
    assert "carrier" not in RecordFacts.of_pages(pages).labels


def test_guides_have_no_facts_of_records() -> None:
    facts = RecordFacts.of_pages(PHONES)
    assert facts.fit(["ram", "screen", "weight"])
    assert not facts.fit(["note", "tip", "you need"])
    assert not facts.fit(["ram"])


def test_the_same_steps_on_all_guides_are_no_facts() -> None:
    guides = [{"note": ["Take care"], "tip": [f"Tip {n}"]} for n in range(4)]
    assert not RecordFacts.of_pages(guides).are_enough
