"""The embedded service: the same interface over a database of one's own."""
