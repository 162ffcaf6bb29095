"""The command line: groups of commands over the client."""
