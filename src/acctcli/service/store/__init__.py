"""The only place with SQL: tables, statements, migrations, transactions."""
