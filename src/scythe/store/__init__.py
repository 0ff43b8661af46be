"""The database: SQLite by default, PostgreSQL by address. It keeps what others learned,
and knows no algorithm of theirs.
"""

from scythe.store.store import Store

__all__ = ["Store"]
