"""What stands behind `acctcli payout`."""
