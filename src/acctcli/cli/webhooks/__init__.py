"""What stands behind `acctcli webhook`."""
