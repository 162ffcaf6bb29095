"""Who is calling: tokens and the users behind them."""
