"""What the service puts on paper: sales invoices as PDF (docs/law.md 7.6).

`content` reads the objects of the wire into texts, `pages` stacks the parts that draw them on A4 sheets.
"""
