"""The engines of a database: health, checks, relearning, searches, harvests, exports."""
