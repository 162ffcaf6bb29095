"""The audit trail: read, compared, exported with what verifies it anywhere."""
