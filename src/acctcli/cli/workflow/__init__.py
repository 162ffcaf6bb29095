"""Workflows: what they are, how they look, and what they did."""
