"""Tests of `acctcli auth`."""
