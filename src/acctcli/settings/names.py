"""Names of environments, business slugs, and the variables made from them."""

from __future__ import annotations

import re

from acctcli.errors import UsageError

LOCAL, PRODUCTION = "local", "production"
KNOWN = ("testing", PRODUCTION, LOCAL)

# Lower case, digits and single hyphens only: the name becomes a variable, a keyring service and a table
# key, and two names must never share one (my-env and my_env would both be ACCTCLI_MY_ENV_TOKEN).
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_SLUG = re.compile(r"[A-Za-z0-9_-]+")
_VARIABLE = re.compile(r"ACCTCLI_([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)_BASE_URL")
_LONGEST_NAME = 40


def check_environment_name(name: str, source: str) -> str:
    """Return `name` if it may name an environment; raise UsageError naming `source` otherwise."""
    if len(name) <= _LONGEST_NAME and _NAME.fullmatch(name):
        return name
    why = f"an environment name is lower case letters, digits and single hyphens, at most {_LONGEST_NAME}"
    raise UsageError(f"{source}: {name[:60]!r} cannot name an environment: {why}", fields={"environment": [why]})


def check_business_slug(slug: str, source: str) -> str:
    """Return `slug` if it can stand in a path; raise UsageError naming `source` otherwise."""
    if _SLUG.fullmatch(slug):
        return slug
    why = "a business slug is letters, digits, - and _"
    raise UsageError(f"{source}: {slug[:60]!r} is not a business slug: {why}", fields={"business": [why]})


def variable(environment: str, what: str) -> str:
    """Return the variable of `what` of an environment: ("my-env", "TOKEN") -> ACCTCLI_MY_ENV_TOKEN."""
    return f"ACCTCLI_{environment.upper().replace('-', '_')}_{what}"


def environment_of_variable(name: str) -> str | None:
    """Return the environment whose host the variable `name` holds, or None."""
    found = _VARIABLE.fullmatch(name)
    return found[1].lower().replace("_", "-") if found else None
