"""Behind the commands on documents: bodies, blueprints, entries to come, relations."""
