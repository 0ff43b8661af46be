"""The processes that extract the pages of partitions, and the one that supervises them."""
