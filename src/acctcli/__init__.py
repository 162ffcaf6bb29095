"""acctcli: a command line for accounting and invoicing, with the service inside."""

__version__ = "0.2.0"
