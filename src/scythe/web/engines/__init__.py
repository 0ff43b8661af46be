"""The pages of search engines and metasearch."""
