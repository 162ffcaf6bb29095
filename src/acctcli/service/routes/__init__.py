"""What the service can do: the route table, and one file of handlers per area."""
