"""What workflows do: runs begin, go on, and end (docs/interface.md 11.3)."""
