"""Search engines and what was harvested from them."""
