"""ViNTs: wrappers for search engines from visual information and tag structure (Zhao,
Meng, Wu, Raghavan and Yu, 2005).
"""

from scythe.wrappers.vints.rule import Separated
from scythe.wrappers.vints.vints import Found, find, learn

__all__ = ["Found", "Separated", "find", "learn"]
