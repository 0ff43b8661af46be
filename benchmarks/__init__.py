"""Every figure the project claims: `python -m benchmarks.NAME [DATA]`."""
