"""What reports and invoices share on paper: how numbers are written, the bundled font, and lines that fold.

Both halves use it. `fonts` needs reportlab, `numbers` nothing.
"""
