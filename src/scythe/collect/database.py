"""The database as a whole, for those who keep it: copies, and whether it is sound."""

from scythe.store.backup import back_up, find_damage, restore

__all__ = ["back_up", "find_damage", "restore"]
