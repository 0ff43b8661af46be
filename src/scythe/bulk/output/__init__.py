"""What a run writes: rows and journal of each partition, then the table in shards."""
