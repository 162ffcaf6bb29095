"""The password of the mail server that the local service sends by."""

from __future__ import annotations

from collections.abc import Mapping

SERVICE = "acctcli:smtp"


def smtp_password(environ: Mapping[str, str]) -> str | None:
    """Return the password that belongs to `ACCTCLI_SMTP_URL`: `ACCTCLI_SMTP_PASSWORD` > keyring > None.

    The keyring knows it under `acctcli:smtp` and `user@host`, so that no other host is shown it.
    """
    from urllib.parse import unquote, urlsplit

    from acctcli.credentials.backends import read_secret

    if password := environ.get("ACCTCLI_SMTP_PASSWORD"):
        return password
    server = urlsplit(environ.get("ACCTCLI_SMTP_URL", ""))
    return read_secret(SERVICE, f"{unquote(server.username or '')}@{server.hostname}")
