"""The operations of the service, one file an area."""
