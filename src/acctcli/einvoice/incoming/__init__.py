"""E-invoices that others wrote, read and proved as pure functions (docs/purchases.md 3, 4).

Finvoice 3.0, and EN 16931 in both of its syntaxes: UBL 2.1, as XRechnung and Peppol BIS write it, and CII, which stands
in ZUGFeRD and Factur-X, too. Whatever the format says, it becomes one `Incoming`; what it says wrong is an
`InvoiceFault` with line and field. Nothing here reads a clock, a file or the network.
"""
