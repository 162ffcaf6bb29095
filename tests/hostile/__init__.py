"""Servers that drip, cut, flood and lie, and what every kind of command makes of each."""
