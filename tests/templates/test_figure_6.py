"""Figure 6 of RecipeCrawler, step by step: five pages as sequences of attributes, and t6,
which the paper leaves open.
"""

from __future__ import annotations

from recipe_pages import sequence_page
from scythe.templates.matching.node import Entry, Node, SiblingGroup
from scythe.templates.template.notices import NoticeKind
from scythe.templates.template.template import Template

T1, T2, T3, T4, T5, T6 = "abde", "addef", "acdef", "acde", "abcdef", "acbde"


def grown(*pages: str) -> Template:
    """The initial set is t1 and t2, as in the paper; the others come one by one."""
    template = Template.induce(
        [sequence_page(letters, number) for number, letters in enumerate(pages[:2], 1)]
    )
    for number, letters in enumerate(pages[2:], 3):
        template.update(sequence_page(letters, number))
    return template


def siblings(template: Template) -> list[Entry]:
    body = template.root.children[1]
    assert isinstance(body, Node)
    main = body.children[0]
    assert isinstance(main, Node)
    return main.children


def drawn(template: Template) -> str:
    """The template as the paper draws it: possible values of one place in brackets."""
    letters = [
        (entry.label.removeprefix("p."), entry.possible_node)
        for entry in siblings(template)
    ]
    text, last = "", 0
    for letter, place in letters:
        text += (
            ("]" if last and place != last else "")
            + ("[" if place and place != last else "")
            + letter
        )
        last = place
    return text + ("]" if last else "")


def support(template: Template) -> dict[str, int]:
    return {
        entry.label.removeprefix("p."): entry.support for entry in siblings(template)
    }


def test_siblings_that_repeat_are_folded_and_an_optional_node_has_a_unique_place() -> (
    None
):
    template = grown(T1, T2)
    assert drawn(template) == "abdef"
    (group,) = [
        entry for entry in siblings(template) if isinstance(entry, SiblingGroup)
    ]
    assert group.label == "p.d"


def test_a_node_without_a_unique_place_becomes_a_possible_value() -> None:
    template = grown(T1, T2, T3)
    assert drawn(template) == "a[bc]def"
    assert support(template)["f"] == 2


def test_a_possible_value_is_matched_but_not_taken_out() -> None:
    template = grown(T1, T2, T3, T4)
    assert drawn(template) == "a[bc]def"
    assert support(template) == {"a": 4, "b": 1, "c": 2, "d": 4, "e": 4, "f": 2}


def test_a_page_with_both_shows_their_order() -> None:
    template = grown(T1, T2, T3, T4, T5)
    assert drawn(template) == "abcdef"
    assert support(template) == {"a": 5, "b": 2, "c": 3, "d": 5, "e": 5, "f": 3}


def test_the_order_is_taken_from_the_page_also_where_it_is_not_that_of_arrival() -> (
    None
):
    assert drawn(grown("ad", "abd", "acd", "acbd")) == "acbd"


def test_the_repeats_come_back_out_as_a_list() -> None:
    template = grown(T1, T2, T3, T4, T5)
    read = template.extract(sequence_page(T2, 2))
    slot = next(slot for slot in template.slots if slot.label == "D")
    assert slot.repeatable
    assert read[slot.id] == ["d of page 2.1", "d of page 2.2"]


def test_swapped_attributes_are_still_read_each_in_its_slot() -> None:
    template = grown(T1, T2, T3, T4, T5)
    slots = {slot.label: slot.id for slot in template.slots}
    update = template.update(sequence_page(T6, 6))
    assert [notice.kind for notice in update.notices] == [NoticeKind.MOVED]
    assert drawn(template) == "abcdef"
    for letters in (T6, T5):
        read = template.extract(sequence_page(letters, 7))
        assert read[slots["B"]] == [f"b of page 7.{letters.index('b')}"]
        assert read[slots["C"]] == [f"c of page 7.{letters.index('c')}"]


WORDS = dict(zip("abcdef", "Name Time Level Materials Steps Tips".split(), strict=True))


def plain_page(letters: str, number: int) -> str:
    """The same in the mark-up that the paper names: list items without a class."""
    items = [
        f"<LI>{WORDS[letter]}: <BR>{letter} of page {number}.{position}</LI>"
        for position, letter in enumerate(letters)
    ]
    return f"<HTML><BODY><UL>{''.join(items)}</UL></BODY></HTML>"


def test_items_without_a_class_are_attributes_by_their_labels() -> None:
    template = Template.induce([plain_page(T1, 1), plain_page(T2, 2)])
    for number, letters in enumerate((T3, T4, T5), 3):
        template.update(plain_page(letters, number))
    labels = [slot.label.rstrip(":") for slot in template.slots]
    assert labels == list(WORDS.values())
    supports = [slot.support for slot in template.slots]
    assert supports == [5, 2, 3, 5, 5, 3]
    assert [slot.label for slot in template.slots if slot.repeatable] == ["Materials:"]
    by_label = {slot.label: slot.id for slot in template.slots}
    read = template.extract(plain_page(T2, 2))
    assert read[by_label["Materials:"]] == ["d of page 2.1", "d of page 2.2"]
    assert read[by_label["Tips:"]] == ["f of page 2.4"]


def test_a_label_that_repeats_for_the_first_time_stays_one_attribute() -> None:
    template = Template.induce([plain_page("ade", 1), plain_page("ade", 2)])
    materials = next(slot for slot in template.slots if slot.label == "Materials:")
    assert not materials.repeatable
    template.update(plain_page("addde", 3))
    read = template.extract(plain_page("adde", 4))
    assert read[materials.id] == ["d of page 4.1", "d of page 4.2"]
    restored = Template.from_json(template.as_json())
    assert restored.slot(materials.id).repeatable
