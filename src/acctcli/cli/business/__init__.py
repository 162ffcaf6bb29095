"""Businesses and their official identifiers."""
