"""Invoices that machines read: EN 16931, in UBL and CII, and Finvoice written, and others read, as pure functions.

They are made of what the service answers: a sales invoice and a business as dicts, amounts as Decimal or int, dates as
`date` or ISO text. Both halves use them. Nothing here reads a clock, a file or the network.

BT and BG are the business terms and groups of EN 16931-1; BR are its rules, BR-DE those of XRechnung 3.0.
"""
