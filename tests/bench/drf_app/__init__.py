"""The same two endpoints as an experienced team writes them on Django REST framework, to compare with.

Deliberately lean: no middleware, no browsable API, no sessions, connections kept open, JSON only, SQLite in
WAL mode with synchronous=FULL. It stores no replies for idempotency keys and computes no VAT.
"""
