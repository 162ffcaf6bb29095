"""Reports computed from the books (docs/interface.md 10): one file per family, amounts in integer cents."""
