"""Documents and their relations: `/v1/business/{business_slug}/document/`."""
