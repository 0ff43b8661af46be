"""From a fetched page to extracted values."""
