"""Columns of records: what stands at the same position in all of them."""

from scythe.wrappers.fields.fields import Fields
from scythe.wrappers.fields.learning import learn_fields
from scythe.wrappers.fields.reader import Value

__all__ = ["Fields", "Value", "learn_fields"]
