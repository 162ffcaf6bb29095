"""The embedded service, for whoever runs it."""
