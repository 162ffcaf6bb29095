"""The end of a period: what is open of it, and what ends it."""
