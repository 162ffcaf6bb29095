"""Bank statements on the command line: reading, proving, posting, and profiles of CSV."""
