"""Secrets that browsers and apps hold for somebody: cookies, codes, refresh tokens (docs/interface.md 12.2).

Each names its person, and what is kept of it is a digest of both that takes the key of the installation: who may write
the database alone can neither make one nor hand one on to another person.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey

SESSION, CODE, REFRESH, ACCESS = "acct_ses_", "acct_code_", "acct_ref_", "acct_oat_"
SECRET_BYTES = 30
LONGEST = 128


def new_opaque(entropy: Callable[[int], bytes], prefix: str, user_id: int) -> str:
    """Make a secret of somebody: the prefix tells what it is, and 240 random bits follow."""
    return f"{prefix}{user_id}.{base64.urlsafe_b64encode(entropy(SECRET_BYTES)).decode()}"


def digest(secret: str, key: InstallationKey) -> str:
    """Return what is kept of a secret."""
    return key.mark(f"opaque {secret}".encode("utf-8", "replace"))


def belongs(secret: str, prefix: str, user_id: int) -> bool:
    """Say whether a secret names this person."""
    return secret.startswith(f"{prefix}{user_id}.")
