"""What goes to customers on paper: invoices and reminders as PDF (docs/law.md 7.6).

`content` reads an invoice of the wire into texts, `pages` stacks the parts that draw them on A4 sheets, and `drawing`
makes the file of any such content.
"""
