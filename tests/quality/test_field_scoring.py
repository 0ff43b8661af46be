"""Columns are scored by the true values that stand alone in them."""

from benchmarks.field_scoring import FieldScore, Values


def scored(rows: list[list[str]], read: list[Values]) -> FieldScore:
    score = FieldScore()
    for row, values in zip(rows, read, strict=True):
        score.add(row, values, " ".join([*row, "not all of it"]))
    return score


def test_values_stand_alone_where_a_column_or_an_item_of_a_list_says_just_them() -> (
    None
):
    score = scored(
        [["A  title", "$ 5", "", "red", "blue"], ["B", "$ 6", "new", "", ""]],
        [
            {"title": "A title ", "price": "$ 5", "colours": ["red", "blue"]},
            {"title": "B $ 6", "column_1": "news"},
        ],
    )
    assert (score.true, score.alone) == (7, 4)


def test_a_value_that_is_true_twice_needs_two_columns() -> None:
    assert scored([["Journal", "Journal"]], [{"kind": "Journal"}]).alone == 1
    assert (
        scored([["Journal", "Journal"]], [{"kind": "Journal", "type": "Journal"}]).alone
        == 2
    )


def test_columns_are_pure_with_one_true_field_over_all_records() -> None:
    rows = [["A", "5", "x"], ["B", "6", "y"]]
    score = scored(
        rows,
        [
            {"title": "A", "price": "5", "link": "/a"},
            {"title": "B", "price": "y", "link": "/b"},
        ],
    )
    assert (score.columns, score.pure_columns) == (2, 1)
    assert (score.column_values, score.values_of_main_field) == (4, 3)


def test_a_column_that_glues_true_values_is_not_pure() -> None:
    score = scored([["Dune", "by Herbert"]], [{"title": "Dune by Herbert"}])
    assert (score.alone, score.columns, score.pure_columns) == (0, 1, 0)
    label = scored(
        [["Dune", "by Herbert"]],
        [
            {
                "title": "Dune",
                "column_1": "A long sentence that says Dune was written by Herbert",
            }
        ],
    )
    assert (label.columns, label.pure_columns) == (1, 1)


def test_values_that_say_the_same_count_for_either_field() -> None:
    score = scored([["5", "5"], ["5", "6"]], [{"price": "5"}, {"price": "6"}])
    assert (score.columns, score.pure_columns) == (1, 1)
