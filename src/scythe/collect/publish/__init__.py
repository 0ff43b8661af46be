"""Records for others: export and feed."""
