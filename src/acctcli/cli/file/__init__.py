"""Files: sent to the service, and fetched safely."""
