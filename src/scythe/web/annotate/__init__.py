"""The pages on which an operator names fields."""
