"""The two kinds of database, and work in their transactions."""
