"""Bodies on the way out: only what was set, with the digits the caller gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from acctcli.models.base import Request

_ENCODER = msgspec.json.Encoder(decimal_format="number")


def encode(body: Request) -> bytes:
    """Encode a model; fields that were not set are left out, null and unset stay different."""
    return _ENCODER.encode(body.model_dump(exclude_unset=True))


def encode_plain(body: Any) -> bytes:
    """Encode plain JSON values; Decimal becomes a number with the same digits."""
    return _ENCODER.encode(body)
