"""Webhook subscriptions (docs/interface.md 11.2)."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from acctcli.models.base import Name128, Request
from acctcli.models.enums import DeliveryStatus
from acctcli.models.graph import A_PLAIN_HOST, has_odd_host, has_user, is_web_address
from acctcli.models.reply import Json, Moment

# what has no place in a Basic header (RFC 7617)
_CONTROL = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0))}


def _check_target(address: str) -> str:
    """Refuse what cannot be sent to, a password where everybody may read it, and a host in disguise."""
    if not is_web_address(address):
        raise PydanticCustomError("url", "Must be a whole http or https address.")
    if has_user(address):
        raise PydanticCustomError("url", "Must hold no user: that is what basic_auth_username is for.")
    if has_odd_host(address):
        raise PydanticCustomError("url", f"Must have {A_PLAIN_HOST}.")
    return address


def _check_plain(text: str) -> str:
    if not _CONTROL.isdisjoint(text):
        raise PydanticCustomError("one_line", "Must be one line without control characters.")
    return text


def _check_username(name: str) -> str:
    """Refuse a colon, which would end the name, and control characters."""
    if ":" in name:
        raise PydanticCustomError("colon", "Must hold no colon.")
    return _check_plain(name)


TargetUrl = Annotated[str, StringConstraints(max_length=2048), AfterValidator(_check_target)]
Username = Annotated[str, StringConstraints(min_length=1, max_length=255), AfterValidator(_check_username)]
Password = Annotated[str, StringConstraints(min_length=1, max_length=255), AfterValidator(_check_plain)]


class WebhookRequest(Request):
    """What may be written of a subscription; the password is never shown again."""

    name: Name128
    target_url: TargetUrl
    is_active: bool = True
    basic_auth_username: Username | None = None
    basic_auth_password: Password | None = None


class WebhookSubscription(TypedDict):
    """A subscription as the service shows it."""

    id: int
    name: str
    target_url: str
    is_active: bool
    basic_auth_username: str | None
    created_at: Moment
    updated_at: Moment


class NewWebhookSubscription(WebhookSubscription):
    """A subscription that was just made, with the secret its deliveries are signed with: this once."""

    signing_secret: str


class Event(TypedDict):
    """What happened in a business, as its subscriptions are told: `data` is the record as GET showed it then."""

    id: int
    type: str
    timestamp: Moment
    business_slug: str
    data: Json


class WebhookDelivery(TypedDict):
    """What a subscription is told: an event, or a test, which has no `event_id`.

    `last_status` is what was answered last, `last_error` a word for what was in the way; nothing else is kept of it.
    """

    id: int
    subscription_id: int
    event_id: int | None
    event_type: str
    status: DeliveryStatus
    attempts: int
    next_attempt_at: Moment | None
    last_attempt_at: Moment | None
    last_status: int | None
    last_error: str | None
    created_at: Moment
    updated_at: Moment
