"""Tokens: from a variable, else from the operating system's keyring or a sealed file; never in plain text.

- `tokens`: what a token may look like
- `lookup`: `Credential`, and which one an environment has
- `kept`: what is kept of a sign-in, bound to its environment and host
- `store`: the sign-ins of an environment, in a place
- `place`, `backends`, `sealed`: what a place is, the keyring, the file that a passphrase opens
- `mail`: the password of the mail server
- `deadline`: calls that may hang, given up in time
- `sign_in`: signing in with a browser, and renewing what that gave
- `prompt`: reading a secret from a person or a pipe

keyring is imported only when no variable holds the token.
"""

from acctcli.credentials.lookup import Credential, no_token, require, resolve
from acctcli.credentials.mail import smtp_password
from acctcli.credentials.tokens import check_token, keep_from_dumps

__all__ = ["Credential", "check_token", "keep_from_dumps", "no_token", "require", "resolve", "smtp_password"]
