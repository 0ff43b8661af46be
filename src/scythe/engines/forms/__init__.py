"""Search forms: what a page offers, which of it searches, and what is sent for a query."""

from scythe.engines.forms.form import Control, Form, Request

__all__ = ["Control", "Form", "Request"]
