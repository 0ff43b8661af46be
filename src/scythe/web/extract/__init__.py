"""The pages that read one address at once."""
