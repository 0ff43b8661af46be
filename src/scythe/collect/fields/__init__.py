"""Fields of records and the annotations that name them."""
