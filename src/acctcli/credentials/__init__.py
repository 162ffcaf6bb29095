"""Tokens: from a variable, else from the operating system's keyring; never from a plain file.

- `tokens`: `Credential`, and what a token may look like
- `lookup`: which token an environment has
- `store`: the keyring, where a token is bound to its environment and host
- `mail`: the password of the mail server
- `deadline`: calls that may hang, given up in time
- `prompt`: reading a token from a person or a pipe

keyring is imported only when no variable holds the token.
"""

from acctcli.credentials.lookup import no_token, require, resolve
from acctcli.credentials.mail import smtp_password
from acctcli.credentials.tokens import Credential, check_token, keep_from_dumps

__all__ = ["Credential", "check_token", "keep_from_dumps", "no_token", "require", "resolve", "smtp_password"]
