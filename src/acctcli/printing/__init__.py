"""What reports and invoices share on paper: how numbers are written, the bundled font, tags, and what a file says.

Both halves use it. `fonts`, `tags` and `metadata` need reportlab, `numbers` and `letters` nothing.
"""
