"""Webhooks: subscriptions, and what they are told."""
