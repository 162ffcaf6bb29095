"""Matching of statement lines to what is open: pure functions, in steps that each name their reason.

What goes in are the lines and what they may be (`candidates`); what comes out is one outcome for each line, with the
rows that its document gets besides that of the bank. No step guesses: what fits two things equally well is left to a
person, together with all that it might have been (docs/bank.md 6).
"""
