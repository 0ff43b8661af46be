"""Print the peak memory of extracting one made-up page: `python -m
benchmarks.speed_memory METHOD KILOBYTES`.
"""

from __future__ import annotations

import sys

from benchmarks.extractors import scythe_method
from benchmarks.growth import made_up_page, resident_peak

if __name__ == "__main__":
    page = made_up_page(int(sys.argv[2]))
    scythe_method(sys.argv[1], page)
    print(resident_peak())
