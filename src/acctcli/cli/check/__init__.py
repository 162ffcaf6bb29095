"""Looking through the books: part by part, each finding a row."""
