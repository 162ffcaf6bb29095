"""What a running command stands on: its options, its environment, its connection."""
