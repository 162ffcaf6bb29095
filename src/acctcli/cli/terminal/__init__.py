"""What a terminal is sent, and what it is not."""
