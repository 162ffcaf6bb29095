"""Signing in and out, and who is signed in where: the commands and what stands behind them."""
