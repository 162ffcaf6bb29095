"""Depreciation: assets as the project's file has them, their plans, and what is posted of these."""
