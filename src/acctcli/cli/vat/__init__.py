"""VAT periods, returns and statements."""
