"""acctcli: a command line for accounting and invoicing, with the service inside."""

__version__ = "0.1.0"
