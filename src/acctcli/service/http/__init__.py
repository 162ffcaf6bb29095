"""The HTTP edge of the service: addresses, bodies, transactions, replies."""
