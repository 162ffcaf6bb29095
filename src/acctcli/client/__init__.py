"""The thin HTTP layer: one way to send, to page, and to fail."""
