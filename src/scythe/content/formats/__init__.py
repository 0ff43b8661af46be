"""Markdown and HTML from one selection."""
