"""Reports: what was asked for, read from the books."""
