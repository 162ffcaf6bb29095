"""What commands are made of: shared options, bodies, days."""
