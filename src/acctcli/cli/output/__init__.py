"""How results are shown: picked, formatted, and written whole or not at all."""
