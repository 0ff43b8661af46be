"""The real engines, in the order in which tests and benchmarks take them."""

from __future__ import annotations

from .dokuwiki import DokuWiki
from .htdig import HtDig
from .namazu import Namazu
from .omega import Omega
from .real import RealEngine
from .swish import Swish

REAL_ENGINES: tuple[RealEngine, ...] = (Omega(), HtDig(), DokuWiki(), Namazu(), Swish())
