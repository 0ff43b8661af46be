"""Search forms: which forms a page has, which of them search, and what a query sends."""

from scythe.engines.forms.detection import (
    ScoredForm,
    page_forms,
    search_form,
    search_forms,
)
from scythe.engines.forms.form import Control, Request, SearchForm

__all__ = [
    "Control",
    "Request",
    "ScoredForm",
    "SearchForm",
    "page_forms",
    "search_form",
    "search_forms",
]
