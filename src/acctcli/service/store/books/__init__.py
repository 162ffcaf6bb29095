"""The books: accounts, documents, entries, periods. SQL only."""
