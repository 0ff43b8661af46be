"""Pairs of numbers in order: what keeps its order in two sequences, and the best pairs
that do not cross.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence


def longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs, given by their second number, in which the first
    numbers grow too.
    """
    tops: list[int] = []
    tails: list[int] = []
    before = [-1] * len(pairs)
    for index, (number, _) in enumerate(pairs):
        rank = bisect_left(tops, number)
        before[index] = tails[rank - 1] if rank else -1
        tops[rank : rank + 1] = [number]
        tails[rank : rank + 1] = [index]

    chosen: list[tuple[int, int]] = []
    index = tails[-1] if tails else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]


def best_ordered_pairs(
    scores: Mapping[int, Mapping[int, float]],
) -> list[tuple[int, int]]:
    """Return pairs (row, column) that do not cross, with the largest sum of scores; of
    equal sums, with the earlier columns.
    """
    if len(scores) < 2:
        return [(row, _best_column(columns)) for row, columns in scores.items()]

    rows = list(scores)
    all_columns: set[int] = set()
    for columns_of_row in scores.values():
        all_columns.update(columns_of_row)
    columns = sorted(all_columns)

    best = [[0.0] * (len(columns) + 1)]
    for row in rows:
        line = _next_line(best[-1], columns, scores[row])
        best.append(line)

    pairs: list[tuple[int, int]] = []
    i = len(rows)
    j = len(columns)
    while i and j:
        if best[i][j] == best[i][j - 1]:
            j -= 1
        elif best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            i -= 1
            j -= 1
            pairs.append((rows[i], columns[j]))
    return pairs


def _best_column(columns: Mapping[int, float]) -> int:
    best = -1
    best_score = 0.0
    for column in sorted(columns):
        if best < 0 or columns[column] > best_score:
            best = column
            best_score = columns[column]
    return best


def _next_line(
    above: Sequence[float], columns: Sequence[int], scores: Mapping[int, float]
) -> list[float]:
    """Return the best sums up to each column with one row more."""
    line = [0.0]
    last = 0.0
    for index, column in enumerate(columns):
        if column in scores and above[index] + scores[column] > last:
            last = above[index] + scores[column]
        if above[index + 1] > last:
            last = above[index + 1]
        line.append(last)
    return line
