"""Search forms: what a page offers, which of it searches, and what is sent for a query."""

from scythe.engines.forms.finding import FoundForm, forms_of, search_form, search_forms
from scythe.engines.forms.form import Control, Form, Request

__all__ = [
    "Control",
    "Form",
    "FoundForm",
    "Request",
    "forms_of",
    "search_form",
    "search_forms",
]
