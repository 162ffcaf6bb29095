"""Pure bookkeeping: no I/O, no clock, no HTTP. Amounts are integer cents, rates hundredths of a percent."""
