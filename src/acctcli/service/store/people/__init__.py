"""Users, their tokens, and what they may do in which business. SQL only."""
