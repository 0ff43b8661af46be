"""A template: growth, reading, saving."""
