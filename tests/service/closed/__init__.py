"""What is closed stays closed: random writes by every operation against the figures of closed days."""
