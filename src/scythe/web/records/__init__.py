"""The pages that browse and search records."""
