"""Documents: what is posted, its entries, relations and files."""
