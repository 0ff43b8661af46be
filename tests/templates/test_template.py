"""Templates as a user grows them: attributes that come, go, repeat and move, and what
an operator is told.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from recipe_pages import recipe_page
from scythe.errors import FetchError, UsageError
from scythe.templates.slot import Slot, Suggestion
from scythe.templates.template.notices import NoticeKind, Update
from scythe.templates.template.template import Template


def grown(count: int) -> Template:
    return Template.induce(
        [
            (recipe_page(number), f"https://x.example/{number}")
            for number in range(count)
        ]
    )


def labelled(template: Template, label: str) -> Slot:
    (slot,) = [
        slot for slot in template.slots if slot.label == label and slot.kind != "link"
    ]
    return slot


def kinds(update: Update) -> list[NoticeKind]:
    return [notice.kind for notice in update.notices]


def test_attributes_are_slots_with_their_labels() -> None:
    template = grown(4)
    assert labelled(template, "Prep time:").examples[0].value.endswith(" min")
    assert labelled(template, "Serves:").kind == "number"
    assert labelled(template, "Ingredients").repeatable
    assert labelled(template, "Steps").repeatable


def test_an_unseen_page_is_read() -> None:
    template = grown(4)
    read = template.extract(recipe_page(9))
    assert read[labelled(template, "Prep time:").id] == ["14 min"]
    assert read[labelled(template, "Ingredients").id] == [
        "9 cups of oats 0",
        "10 cups of oats 1",
        "11 cups of oats 2",
    ]
    assert "Copyright of nobody" not in {
        value for values in read.values() for value in values
    }
    assert read.fit == 1


def test_values_tell_the_node_they_stand_in() -> None:
    from scythe.tree import parse

    template, tree = grown(4), parse(recipe_page(9))
    read = template.extract(tree)
    for slot in template.slots:
        if slot.kind not in ("link", "image"):
            for value, node in zip(
                read.get(slot.id, ()), read.nodes.get(slot.id, ()), strict=True
            ):
                assert value in tree.text[node]


@pytest.mark.parametrize(
    "kept",
    [("Serves",), ("Prep time", "Cook"), ("Cook",), ("Cook", "Serves", "Prep time")],
)
def test_rows_are_known_by_their_label_whichever_are_missing_or_moved(
    kept: tuple[str, ...],
) -> None:
    template = grown(4)
    values = {"Prep time": "99 min", "Serves": "77", "Cook": "Bob"}
    read = template.extract(
        recipe_page(3, rows={label: values[label] for label in kept})
    )
    for label, value in values.items():
        assert read.get(labelled(template, f"{label}:").id, []) == (
            [value] if label in kept else []
        )


def test_a_new_attribute_is_told_when_a_second_page_has_it() -> None:
    template = grown(4)
    first = template.update(
        recipe_page(5, extra="<p class=note>Note: keep it warm</p>")
    )
    second = template.update(
        recipe_page(6, extra="<p class=note>Note: eat it cold</p>")
    )
    assert NoticeKind.NEW not in kinds(first)
    assert first.new_slots
    (notice,) = [notice for notice in second.notices if notice.kind is NoticeKind.NEW]
    assert [example.value for example in notice.examples] == [
        "Note: keep it warm",
        "Note: eat it cold",
    ]
    assert template.slot(notice.slot or "").label == "Note:"
    read = template.extract(recipe_page(7, extra="<p class=note>Note: share it</p>"))
    assert read[notice.slot or ""] == ["share it"]


def story(number: int, item: str) -> str:
    """A page with a list of so many items that it is no row of columns."""
    items = "".join(
        f"<li>{item.format(f'{number}.{at}')}</li>" for at in range(3 + number % 4)
    )
    return recipe_page(number, extra=f"<ul class=story>{items}</ul>")


@pytest.mark.parametrize(
    ("item", "attributes"),
    [
        ("Born in <b>town {0}</b> on <i>day {0}</i>", 1),
        ("Born in {0}<b class=place>Town {0}</b>", 2),
    ],
    ids=["pieces of free text", "a part with a name"],
)
def test_free_text_in_a_list_is_one_attribute_beside_what_has_a_name(
    item: str, attributes: int
) -> None:
    template = grown(4)
    told = [template.update(story(number, item)) for number in range(5, 15)]
    assert sum(kinds(update).count(NoticeKind.NEW) for update in told) == attributes


def test_a_number_before_a_colon_is_no_other_label_on_every_page() -> None:
    def page(number: int) -> str:
        return recipe_page(
            number, extra=f"<h3>{number * 7} reviews of:<br>Recipe {number}</h3>"
        )

    template = Template.induce([page(number) for number in range(4)])
    count = len(template.all_slots)
    for number in range(4, 20):
        assert not template.update(page(number)).notices
    assert len(template.all_slots) == count


def test_a_value_that_few_pages_have_with_a_label_is_found_without_it() -> None:
    def page(number: int) -> str:
        label = "<b>Available soon</b> " if number % 6 == 4 else ""
        return recipe_page(
            number, extra=f"<p class=sale>{label}Ships in {number} days</p>"
        )

    template = Template.induce([page(number) for number in range(12)])
    loaded = Template.from_json(template.as_json())
    (slot,) = [slot for slot in template.slots if slot.path.endswith("p.sale > #text")]
    for known in (template, loaded):
        assert (
            "Ships in 13 days".removeprefix(slot.prefix).removesuffix(slot.suffix)
            in known.extract(page(13))[slot.id]
        )


def test_what_differs_from_the_text_of_all_pages_is_read() -> None:
    template = grown(4)
    changed = recipe_page(9).replace("Copyright of nobody", "Copyright of Ann")
    for _ in range(3):
        assert "Copyright of Ann" in {
            value for values in template.extract(changed).values() for value in values
        }
        assert "Copyright of nobody" not in {
            value
            for values in template.extract(recipe_page(8)).values()
            for value in values
        }


def test_an_attribute_that_turns_repeatable_keeps_its_slot() -> None:
    pages = [
        recipe_page(number, extra=f"<p class=tip>Tip {number} of the house</p>")
        for number in range(4)
    ]
    template = Template.induce(pages)
    (slot,) = [slot for slot in template.slots if slot.path.endswith("p.tip > #text")]
    template.name(slot.id, "tip", "text")
    update = template.update(
        recipe_page(5, extra="<p class=tip>One</p><p class=tip>Two</p>")
    )
    assert NoticeKind.REPEATABLE in kinds(update)
    assert template.slot(slot.id).name == "tip"
    assert template.slot(slot.id).repeatable
    assert template.record(
        recipe_page(6, extra="<p class=tip>A</p><p class=tip>B</p>")
    )["tip"] == ["A", "B"]


def test_an_attribute_that_is_gone_is_told_once_and_its_slot_stays() -> None:
    with_tip = [
        recipe_page(number, extra=f"<p class=tip>Tip {number}</p>")
        for number in range(6)
    ]
    template = Template.induce(with_tip)
    (slot,) = [slot for slot in template.slots if slot.path.endswith("p.tip > #text")]
    told = [kinds(template.update(recipe_page(number))) for number in range(6, 16)]
    assert sum(found.count(NoticeKind.VANISHED) for found in told) == 1
    back = template.update(recipe_page(20, extra="<p class=tip>Tip 20</p>"))
    assert NoticeKind.RETURNED in kinds(back)
    assert template.extract(with_tip[3])[slot.id] == ["Tip 3"]


def test_names_survive_every_later_page() -> None:
    template = grown(2)
    slot = labelled(template, "Cook:")
    template.name(slot.id, "author", "person")
    for number in range(2, 30):
        template.update(
            recipe_page(
                number,
                rows={"Cook": f"C{number}", **({"Serves": "4"} if number % 3 else {})},
            )
        )
    assert (template.slot(slot.id).name, template.slot(slot.id).type) == (
        "author",
        "person",
    )
    assert template.record(recipe_page(40)) == {"author": ["Ann barley"]}


def test_a_suggestion_stands_below_an_operators_word() -> None:
    template = grown(3)
    slot = labelled(template, "Cook:")
    template.add_suggestions([Suggestion(slot.id, "author", "text", 0.8, "label Cook")])
    assert template.slot(slot.id).title == "author"
    template.name(slot.id, "chef")
    assert template.slot(slot.id).title == "chef"


def test_lists_in_lists_come_out_whole() -> None:
    def part(name: str, items: int) -> str:
        return f"<div class=part><h3>Part {name}</h3><ul>{''.join(f'<li>{name}.{item}' for item in range(items))}</ul></div>"

    def page(number: int) -> str:
        parts = "".join(part(f"{number}.{at}", at + 2) for at in range(2 + number % 2))
        return f"<h1>Page {number}</h1><div>{parts}</div>"

    template = Template.induce([page(number) for number in range(4)])
    (slot,) = [slot for slot in template.slots if slot.path.endswith("li > #text")]
    assert template.extract(page(7))[slot.id] == [
        f"7.{part}.{item}" for part in range(3) for item in range(part + 2)
    ]


def test_a_disjunction_is_two_slots_of_one_place() -> None:
    def page(number: int) -> str:
        price = (
            f"<b class=price>€{number}.50</b>"
            if number % 2
            else f"<i class=sold>Sold to {number} people</i>"
        )
        return f"<div><h1>Rake {number}</h1>{price}<p>About rake {number}</p></div>"

    template = Template.induce([page(number) for number in range(6)])
    price, sold = (
        next(slot for slot in template.slots if name in slot.path)
        for name in (".price", ".sold")
    )
    assert (price.support, price.kind, sold.support) == (3, "price", 3)
    read = template.extract(page(9))
    assert read[price.id] == ["€9.50"]
    assert sold.id not in read


def test_an_empty_set_of_pages_gives_no_template() -> None:
    with pytest.raises(UsageError, match="needs a page"):
        Template.induce([])


def test_an_unknown_slot_cannot_be_named() -> None:
    with pytest.raises(UsageError, match="no slot s999"):
        grown(2).name("s999", "title")


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    template = grown(5)
    template.name(labelled(template, "Cook:").id, "author", "person")
    template.add_suggestions(
        [Suggestion(labelled(template, "Serves:").id, "yield", "number", 0.9, "label")]
    )
    template.save(tmp_path / "t.json")
    loaded = Template.load(tmp_path / "t.json")
    assert loaded.as_json() == template.as_json()
    assert loaded.slots == template.slots
    for known in (template, loaded):
        for number in range(5, 12):
            known.update(
                recipe_page(
                    number, extra=f"<p class=tip>Tip {number}</p>" if number % 2 else ""
                )
            )
    assert loaded.as_json() == template.as_json()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"scythe": "wrapper"}',
        '{"scythe": "template", "version": 1}',
        '{"scythe": "template", "version": 99}',
    ],
)
def test_what_is_no_template_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(UsageError):
        Template.load(tmp_path / "t.json")


def test_a_damaged_tree_is_refused(tmp_path: Path) -> None:
    values = grown(3).as_json()
    values["tree"][5]["depth"] = 40
    with pytest.raises(UsageError, match="damaged"):
        Template.from_json(values)


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="cannot be read"):
        Template.load(tmp_path / "none.json")
    with pytest.raises(FetchError, match="cannot be written"):
        grown(2).save(tmp_path / "no folder" / "t.json")
