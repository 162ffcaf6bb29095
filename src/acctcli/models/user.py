"""The current user, the people of a business, and what they may do where (docs/interface.md 2.4, 2.5)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from acctcli.models.base import Email, Request, Text64, Text150
from acctcli.models.enums import PermissionGroup, PermissionKey
from acctcli.models.reply import Moment, Stored, shown_as


class UserRequest(Request):
    """What users may write about themselves; no field is required, not even on PUT."""

    email: Email = Field(default="")
    first_name: Text150 = ""
    last_name: Text150 = ""
    show_get_started_info: bool = True
    language: Literal["fi", "sv", "en", "de", ""] | None = None


class Permission(TypedDict):
    """Whether one permission is granted, with words for people."""

    name: str
    value: bool
    explanation: str


class Usership(Stored):
    """A user's place in one business."""

    user: int
    business: int
    business_id: str
    permissions: Annotated[dict[str, Permission], shown_as(dict[PermissionKey, Permission])]


class Invitation(Stored):
    """An invitation to a business that waits for the user."""

    email: str
    status: str
    permissions: list[str]
    permission_group: str | None
    tags: list[str]


class BusinessInvitation(Invitation):
    """An invitation as the business sees it: until when it waits, and who invited, null when that user is gone."""

    expires_at: Moment
    is_over: Annotated[bool, Field(description="open, but nobody can accept it any more")]
    invited_by: int | None


class OwnInvitation(BusinessInvitation):
    """An invitation as whom it waits for sees it.

    `needs_code`: to settle it takes the code of its mail, and who invites where is not shown before.
    """

    business_slug: str
    business_name: str
    inviter: Annotated[str, Field(description="address of whoever invites, empty when that user is gone")]
    needs_code: bool


class Member(Stored):
    """A person in a business, by the id of the user."""

    email: str
    first_name: str
    last_name: str
    permission_group: Annotated[str, shown_as(PermissionGroup)]
    permissions: Annotated[list[str], shown_as(list[PermissionKey])]


class GrantRequest(Request):
    """What somebody may do: all of a role, or single permissions, or both."""

    permission_group: PermissionGroup | None = None
    permissions: list[PermissionKey] = Field(default_factory=list)


class InvitationRequest(GrantRequest):
    """Whom to invite, and what they may do then."""

    email: Email


class RevokeRequest(Request):
    """What somebody may do no more."""

    permissions: list[PermissionKey] = Field(min_length=1)


class AcceptRequest(Request):
    """The code of the mail, where the invitation needs it."""

    code: Text64 | None = None


class CurrentUser(TypedDict):
    """The caller."""

    id: int
    email: str
    first_name: str
    last_name: str
    last_login: Moment | None
    date_joined: Moment
    tos_accepted: bool
    tos_accepted_by_market: dict[str, bool]
    openbanking_tos_accepted_at: Moment | None
    last_csat: Moment | None
    invitations: list[Invitation]
    notifications: dict[str, Any]
    avatar_url: str | None
    userships: list[Usership]
    show_get_started_info: bool
    language: str | None
    last_active_business_id: str | None
    last_active_business_slug: str | None
    subscription_tier: str
    has_tos_acceptance_record: bool
    agency_id: int | None
    is_agency_user: bool
    agency_role: str | None
    is_agency_admin: bool
    credit_cap: int
    agency_name: str | None
    ui_preferences: dict[str, Any]


class OwnToken(TypedDict):
    """The token that the caller has, or that theirs was made of: what it is for, and until when it holds."""

    id: int
    name: str
    kind: Annotated[str, Field(description="personal, or access of an app")]
    created_at: Moment
    expires_at: Annotated[Moment | None, Field(description="null for ever")]


class GrantedPermission(TypedDict):
    """One permission of the caller in a business."""

    id: Annotated[str, Field(description="permission key")]
    name: str
    explanation: str


class BusinessPermissions(TypedDict):
    """What the caller may do in one business; an administrator gets exactly `admin`."""

    business_slug: str
    granted_permission_ids: list[str]
    granted_permissions: list[GrantedPermission]
