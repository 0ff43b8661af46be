"""ViNTs: wrappers for search engines from visual information and tag structure (Zhao,
Meng, Wu, Raghavan and Yu, 2005).

The paper's steps and where they are: content lines (3.1) in `lines` and `page_lines`,
blocks and their distances (3.2, 3.3) in `blocks`, candidate content line separators (4.1)
in `separators`, candidate groups and first lines (4.2, 4.3) in `candidates`, the wrapper
format (5.3) in `rule`, initial wrappers (5.4) in `initial`, refining and selection (5.5,
5.6) in `selection`, integration (5.7) in `generation`.
"""

from scythe.wrappers.vints.generation import (
    PageWrapper,
    find_wrappers,
    learn_separated_rule,
)
from scythe.wrappers.vints.rule import SeparatedRule

__all__ = ["PageWrapper", "SeparatedRule", "find_wrappers", "learn_separated_rule"]
