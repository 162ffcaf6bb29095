"""Pages to look through the books with a browser: served on this machine, read only, without scripts."""
