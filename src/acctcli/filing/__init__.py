"""The law of filing VAT, as pure functions: banking days, deadlines, boxes and statements.

Both halves use it. Nothing here reads a clock, a file or the network.
"""
