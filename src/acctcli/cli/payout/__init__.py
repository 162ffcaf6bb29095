"""Sales payouts, and how they are booked."""
