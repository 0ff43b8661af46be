"""The ways to select the main content of a page."""
