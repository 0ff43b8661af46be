"""Pages grouped by the template that made them."""
