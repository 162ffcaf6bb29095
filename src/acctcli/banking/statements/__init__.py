"""Bank statements: readers of CAMT, MT940, TITO and CSV, and the proof that what they read is whole.

A reader takes a binary stream and yields parts: the head of a statement, its lines, its foot. Nothing is kept of what
was yielded, so a file may be of any size. Whatever is not understood is a fault that names line and field; nothing is
skipped (docs/bank.md 3).
"""

# names of formats, as they are typed
FORMATS = ("camt", "mt940", "tito", "csv")
