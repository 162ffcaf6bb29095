"""Webhooks: where events are sent, and what receives them here."""
