"""What banks print and read: references, account numbers, barcodes and QR codes, as pure functions.

Both halves use it. Nothing here reads a clock, a file or the network.
"""
