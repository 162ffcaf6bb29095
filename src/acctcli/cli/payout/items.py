"""The items of a payout as people write them: `amount=125.50,account=3000,vat=25.5,code=1,description=Sales`."""

from __future__ import annotations

from typing import Any

from acctcli.cli.command.pairs import Parse, number, read_pairs, whole

_KNOWN: dict[str, Parse] = {"amount": number, "account": str, "vat": number, "code": whole, "description": str}
_ON_THE_WIRE = {"account": "account_number", "vat": "vat_rate", "code": "vat_code"}


def read_items(written: list[str]) -> list[dict[str, Any]]:
    """Return the items of a body; raise UsageError for what cannot be read."""
    return [_read_item(one) for one in written]


def _read_item(written: str) -> dict[str, Any]:
    pairs = read_pairs(written, _KNOWN, "--item")
    return {_ON_THE_WIRE.get(name, name): value for name, value in pairs.items()}
