"""Addresses below `/v1/invoicing/{business_slug}/`, named as those below `/v1/business/`."""
