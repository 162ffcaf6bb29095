"""What the shell completes."""
