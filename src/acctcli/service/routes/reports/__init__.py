"""Reports: `/v1/business/{business_slug}/report/`."""
