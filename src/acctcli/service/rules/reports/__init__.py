"""Reports computed from the books (wire facts 4): one file per family, amounts in integer cents."""
