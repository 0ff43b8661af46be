"""ViNTs: wrappers for search engines from visual information and tag structure (Zhao,
Meng, Wu, Raghavan and Yu, 2005).

The paper's steps and where they are: content lines (3.1) in `lines` and `page_lines`,
blocks and their distances (3.2, 3.3) in `blocks`, candidate content line separators (4.1)
in `separators`, candidate groups and first lines (4.2, 4.3) in `candidates`, the wrapper
format (5.3) in `rule`, initial wrappers (5.4) in `initial`, refining and selection (5.5,
5.6) in `selection`, integration (5.7) in `generation`.

Where this differs from the paper, all of it:

- Separators (4.1): of the patterns that end in the same lines, the shortest and the
  longest are candidates, as occurrences without overlaps; at most 8 lines long, and with
  a bound on the blocks of a page.
- Blocks (4.2): the limits of the distances are not in the paper; they were chosen on the
  record sets. First lines (4.3): a year at the start of a line is no list number.
- Tag forests (5.2): scripts, styles and other elements that show nothing are no nodes.
- Prefix (5.3, 5.4): records need not have the same tags down to their first line, and a
  prefix passes over siblings of other tags.
- Separators of a wrapper (5.4) are written with the structure of their children where
  tags alone do not give the records back. Indented records (figure 7) are also looked
  for behind the three records that a wrapper is built from.
- Cutting (5.3): pieces without characters are none; the rest behind the last separator is
  a record if it begins like one; what stands before the first record is left out.
- Refining (5.5): one odd record, unlike the middle one or without a link, does not end
  the list if the next one is alike again.
- Selection (5.6): the factors were learned on the record sets. Without boxes the
  characters outside links stand for the area, of each record at most three times the
  usual number.
- Integration (5.7): prefixes go together if they lead to the same sub-tree; of the
  siblings that their compact forms pass over there the fewest are. Of several wrappers
  with the same support the one that weighs most on all pages is taken.
"""

from scythe.wrappers.vints.generation import (
    PageWrapper,
    find_wrappers,
    learn_separated_rule,
)
from scythe.wrappers.vints.rule import SeparatedRule

__all__ = ["PageWrapper", "SeparatedRule", "find_wrappers", "learn_separated_rule"]
