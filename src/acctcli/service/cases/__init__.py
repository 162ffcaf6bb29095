"""What the business does, without HTTP: a case knows a connection, a business and a clock."""
