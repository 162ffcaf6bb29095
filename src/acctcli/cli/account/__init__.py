"""The chart of accounts: its commands and what stands behind them."""
