"""Lists for machines that come back: what changed since the last time, and one line for each row of an invoice."""
