"""Methods that select the main content of a page: functions from a tree to a selection."""
