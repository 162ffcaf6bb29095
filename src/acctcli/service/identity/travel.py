"""The key of the installation on its way to another machine: a file that opens with a passphrase."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from acctcli.errors import UsageError, unwritten
from acctcli.service.identity.keys import KEY_BYTES, NONCE_BYTES
from acctcli.service.store.contents import created, flush_folders, settle

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

# scrypt takes 64 MiB and a tenth of a second for each guess
COST, BLOCK, SALT_BYTES = 2**16, 8, 16


def seal_key(file: Path, target: Path, passphrase: str, entropy: Callable[[int], bytes]) -> None:
    """Write the key that a file holds to a new file, for whoever knows the passphrase; raises UsageError."""
    key, salt, nonce = _read(file), entropy(SALT_BYTES), entropy(NONCE_BYTES)
    sealed = _cipher(passphrase, salt).encrypt(nonce, key, None)
    text = json.dumps({"scrypt": [COST, BLOCK], "salt": salt.hex(), "nonce": nonce.hex(), "key": sealed.hex()})
    try:
        with created(target) as stream:
            stream.write(f"{text}\n".encode())
        flush_folders(target.parent)
    except OSError as error:
        raise unwritten(f"cannot write {target}", error) from error


def unseal_key(sealed: Path, passphrase: str) -> bytes:
    """Return the key of a file that `seal_key` wrote; raises UsageError when it does not open."""
    from cryptography.exceptions import InvalidTag

    try:
        held = json.loads(sealed.read_bytes())
        salt, nonce, key = (bytes.fromhex(held[name]) for name in ("salt", "nonce", "key"))
        if held["scrypt"] != [COST, BLOCK]:
            raise ValueError(held["scrypt"])
        return _cipher(passphrase, salt).decrypt(nonce, key, None)
    except InvalidTag as error:
        raise UsageError(f"the passphrase does not open {sealed}") from error
    except OSError as error:
        raise UsageError(f"cannot read {sealed}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{sealed} is no key that a backup wrote") from error


def take_key(key: bytes, file: Path, kept: Path) -> None:
    """Make a key the one of this installation; another one that was there is kept."""
    if file.exists():
        there = file.read_bytes()
        if there == key:
            return
        settle(kept, there)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    with created(draft) as stream:
        stream.write(key)
    draft.replace(file)
    flush_folders(file.parent)


def _read(file: Path) -> bytes:
    try:
        key = file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    if len(key) != KEY_BYTES:
        raise UsageError(f"{file} is damaged: it is no key", hint="bring it back from a copy of its file")
    return key


def _cipher(passphrase: str, salt: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    opening = hashlib.scrypt(passphrase.encode(), salt=salt, n=COST, r=BLOCK, p=1, maxmem=2**28, dklen=KEY_BYTES)
    return ChaCha20Poly1305(opening)
