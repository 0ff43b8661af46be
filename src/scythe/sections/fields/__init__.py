"""Columns of records: what stands at the same position in all of them."""

from scythe.sections.fields.fields import Fields
from scythe.sections.fields.learning import learn_fields
from scythe.sections.fields.naming import MAIN_COLUMNS, ColumnOptions
from scythe.sections.fields.reader import Value

__all__ = ["MAIN_COLUMNS", "ColumnOptions", "Fields", "Value", "learn_fields"]
