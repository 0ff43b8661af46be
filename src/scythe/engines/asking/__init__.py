"""One query to one engine."""
