"""Search forms: which forms a page has, which of them search, and what a query sends."""

from scythe.engines.forms.detection import (
    ScoredForm,
    page_forms,
    search_form,
    search_forms,
)
from scythe.engines.forms.form import Control, Form, Request

__all__ = [
    "Control",
    "Form",
    "Request",
    "ScoredForm",
    "page_forms",
    "search_form",
    "search_forms",
]
