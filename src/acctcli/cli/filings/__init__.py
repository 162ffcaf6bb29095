"""Behind the commands on VAT and periods: returns, statements, due dates."""
