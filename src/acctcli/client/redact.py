"""Take secrets out of anything that may be printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from acctcli.errors import AcctcliError, ServiceError

MASK = "[hidden]"
_SECRET_HEADERS = {"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"}
# a text that is shown in part may end within the value
_SECRET_FIELD = re.compile(
    r'("[^"]*(?:token|secret|password|passwd|authorization|jwt)[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.IGNORECASE
)
# a signature in an address is a permission, for as long as it holds
_SECRET_FORM = re.compile(r"((?:^|[&?])[^=&]*(?:token|secret|password|signature)[^=&]*=)[^&\s\"]*", re.IGNORECASE)
_USERINFO = re.compile(r"(\w+://)[^/@\s]+@")


def headers(items: Mapping[str, str]) -> dict[str, str]:
    """Copy headers with the values of credentials masked."""
    return {name: MASK if name.lower() in _SECRET_HEADERS else value for name, value in items.items()}


def error(problem: AcctcliError, secrets: Sequence[str]) -> AcctcliError:
    """Mask secrets in everything an error says: a service may send back what it was sent, anywhere."""
    problem.message = text(problem.message, secrets)
    if isinstance(problem, ServiceError):
        problem.code = text(problem.code, secrets)
        problem.fields = {
            text(name, secrets): [text(one, secrets) for one in texts] for name, texts in problem.fields.items()
        }
    return problem


def fields(body: bytes) -> bytes:
    """Mask the values of secret-looking fields in JSON, and nothing else."""
    return _SECRET_FIELD.sub(rf'\1"{MASK}"', body.decode("utf-8", "replace")).encode()


def text(value: str, secrets: Iterable[str] = ()) -> str:
    """Mask known secrets, secret-looking JSON and form fields, and user info in URLs."""
    for secret in secrets:
        if secret:
            value = value.replace(secret, MASK)
    value = _SECRET_FIELD.sub(rf'\1"{MASK}"', value)
    value = _SECRET_FORM.sub(rf"\1{MASK}", value)
    return _USERINFO.sub(rf"\1{MASK}@", value)
