"""The wire contract: models and enums used by both halves; no I/O."""
