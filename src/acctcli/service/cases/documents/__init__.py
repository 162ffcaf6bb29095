"""Documents: written, posted, locked, related, shown."""
