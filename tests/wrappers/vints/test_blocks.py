"""Blocks have the codes of the paper's figures, and its three distances."""

from hypothesis import given
from hypothesis import strategies as st

from scythe.wrappers.vints.blocks import (
    Block,
    SimilarityLimits,
    edit_distance,
    position_distance,
    shape_distance,
    type_distance,
    visually_similar,
)
from scythe.wrappers.vints.lines import ContentLine, LineType

codes = st.text("12358", max_size=12)
positions = st.lists(st.integers(0, 900), min_size=1, max_size=8)


def block(*lines: tuple[LineType, int]) -> Block:
    return Block(
        [
            ContentLine(kind, position, node)
            for node, (kind, position) in enumerate(lines)
        ]
    )


def shaped(*positions: int) -> Block:
    return block(*[(LineType.TEXT, position) for position in positions])


FIGURE_3 = block(
    (LineType.LINK, 8),
    (LineType.TEXT, 48),
    (LineType.TEXT, 48),
    (LineType.LINK, 48),
    (LineType.BLANK, 48),
)


def test_the_record_of_figure_3() -> None:
    assert FIGURE_3.type_code == "1218"
    assert FIGURE_3.shape == (8, 48, 48, 48, 48)
    assert FIGURE_3.modified_shape == (0, 40)
    assert FIGURE_3.position == 8


def test_the_shapes_of_figure_4() -> None:
    shapes = {
        "a": shaped(20, 20, 20),
        "b": shaped(20, 30),
        "c": shaped(20, 20, 30, 30),
        "d": shaped(20, 30, 40),
        "e": shaped(30, 20),
        "f": shaped(20, 30, 20),
    }
    assert {name: shape.modified_shape for name, shape in shapes.items()} == {
        "a": (0,),
        "b": (0, 10),
        "c": (0, 10),
        "d": (0, 10, 20),
        "e": (10, 0),
        "f": (0, 10, 0),
    }
    assert shape_distance(shapes["b"], shapes["c"]) == 0
    assert shape_distance(shapes["a"], shapes["d"]) == 20
    assert shape_distance(shapes["b"], shapes["e"]) == 10


def test_snippets_of_other_lengths_do_not_count() -> None:
    longer = block(
        (LineType.LINK, 8),
        *[(LineType.TEXT, 48)] * 7,
        (LineType.LINK, 48),
        (LineType.BLANK, 48),
    )
    assert type_distance(FIGURE_3, longer) == 0


def test_similar_blocks_are_alike_in_every_distance() -> None:
    limits = SimilarityLimits(type=0.5, shape=20, position=20)
    moved = shaped(400, 400)
    assert visually_similar(shaped(20, 20), shaped(30, 30), limits)
    assert position_distance(shaped(20, 20), moved) == 380
    assert not visually_similar(shaped(20, 20), moved, limits)
    assert not visually_similar(shaped(20, 20), shaped(20, 80), limits)
    assert not visually_similar(shaped(20), block((LineType.LINK, 20)), limits)


def table_distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        new = [i]
        for j, other in enumerate(b, 1):
            new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + (letter != other)))
        row = new
    return row[-1]


@given(codes, codes)
def test_edit_distance_is_that_of_the_table(a: str, b: str) -> None:
    assert edit_distance(a, b) == table_distance(a, b)


@given(positions, positions, positions)
def test_shape_and_position_distances_are_distances(
    a: list[int], b: list[int], c: list[int]
) -> None:
    one, other, third = shaped(*a), shaped(*b), shaped(*c)
    for distance in (shape_distance, position_distance, type_distance):
        assert distance(one, one) == 0
        assert distance(one, other) == distance(other, one) >= 0
        assert distance(one, third) <= distance(one, other) + distance(other, third)
