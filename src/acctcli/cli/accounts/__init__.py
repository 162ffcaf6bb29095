"""Behind the commands on accounts: numbers, words, rates, statements."""
