"""The database: SQLite by default, PostgreSQL by address. It stores what other rooms
learned, and knows none of their algorithms.
"""

from scythe.store.store import Store

__all__ = ["Store"]
