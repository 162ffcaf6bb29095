"""What stands behind `acctcli purchase`."""
