"""The pages of collections and their runs."""
