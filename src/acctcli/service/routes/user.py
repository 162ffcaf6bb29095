"""The caller: `/v1/user/`, what they may do in a business, and where they are invited (docs/interface.md 2.4, 2.5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from acctcli.models.enums import PermissionKey
from acctcli.service.cases import people
from acctcli.service.cases.work import found
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import ONE_BUSINESS, Area
from acctcli.service.routes.query import Page
from acctcli.service.rules.addresses import is_same
from acctcli.service.store.people import invitations, tokens, users

if TYPE_CHECKING:
    from acctcli.models.user import (
        AcceptRequest,
        BusinessPermissions,
        CurrentUser,
        OwnInvitation,
        OwnToken,
        UserRequest,
        Usership,
    )
    from acctcli.service.cases.work import Work

FIELDS = ("email", "first_name", "last_name", "show_get_started_info", "language")


def _get(call: Call) -> CurrentUser:
    """Show the caller with the businesses they belong to, or those of them that a JWT is limited to."""
    user = users.get(call.conn, call.user.id)
    reach = call.credential.businesses
    is_hidden = reach is not None and user["last_active_business_slug"] not in reach
    active = None if is_hidden else user["last_active_business_id"]
    places = users.places(call.conn, call.user.id)
    # who is let in for some businesses only hears of no other
    waiting = invitations.addressed(call.conn, user["id"], user["email"], call.stamp) if reach is None else []
    return {
        "id": user["id"],
        "email": user["email"],
        "first_name": user["first_name"],
        "last_name": user["last_name"],
        "show_get_started_info": user["show_get_started_info"],
        "language": user["language"],
        "last_login": user["last_login"],
        "date_joined": user["date_joined"],
        "last_active_business_slug": None if is_hidden else user["last_active_business_slug"],
        # what the wire has and a local user has not
        "tos_accepted": True,
        "tos_accepted_by_market": {},
        "openbanking_tos_accepted_at": None,
        "last_csat": None,
        "invitations": [people.show_invitation(one.invitation) for one in waiting],
        "notifications": {},
        "avatar_url": None,
        "subscription_tier": "",
        "has_tos_acceptance_record": True,
        "agency_id": None,
        "is_agency_user": False,
        "agency_role": None,
        "is_agency_admin": False,
        "credit_cap": 0,
        "agency_name": None,
        "ui_preferences": {},
        "last_active_business_id": None if active is None else str(active),
        "userships": [_usership(place) for place in places if reach is None or place["slug"] in reach],
    }


def _usership(place: Mapping[str, Any]) -> Usership:
    granted = place["permissions"].split()
    return {
        "id": place["id"],
        "created_at": place["created_at"],
        "updated_at": place["updated_at"],
        "user": place["user_id"],
        "business": place["business_id"],
        "business_id": place["official_id"] or "",
        "permissions": {
            key.value: {"name": key.label, "value": key in granted, "explanation": key.explanation}
            for key in PermissionKey
        },
    }


def _change(call: Call, body: UserRequest, names: Collection[str]) -> CurrentUser:
    """Write the caller's own data of these names, the address only if sent."""
    fields = {name: getattr(body, name) for name in FIELDS if name in names}
    if "email" not in body.model_fields_set:
        fields.pop("email", None)
    if (email := fields.get("email")) is not None and email != call.user.email:
        people.check_address(email)
        if set(users.all_with(call.conn, email)) - {call.user.id}:
            raise Invalid.field("email", "Another user has this address.")
    if fields:
        # what people write themselves shows nobody that it is theirs
        is_other = email is not None and not is_same(email, call.user.email)
        unproved = {"email_changed_at": call.stamp} if is_other else {}
        users.change(call.conn, call.user.id, {**fields, **unproved, "updated_at": call.stamp})
        call.tell("user.updated", {"id": call.user.id, **fields})
    return _get(call)


def get_permissions(call: Call) -> BusinessPermissions:
    """Show what the caller may do in a business; an administrator has exactly `admin`."""
    granted = [key for key in PermissionKey if key in call.business.permissions]
    if PermissionKey.ADMIN in granted:
        granted = [PermissionKey.ADMIN]
    return {
        "business_slug": call.business.slug,
        "granted_permission_ids": [key.value for key in granted],
        "granted_permissions": [
            {"id": key.value, "name": key.label, "explanation": key.explanation} for key in granted
        ],
    }


def get_token(call: Call) -> OwnToken:
    """Show what the caller was let in by, never the token itself."""
    found_one = found(tokens.get(call.conn, call.user.token_id, call.stamp), "token")
    return {
        "id": found_one.id,
        "name": found_one.name,
        "kind": found_one.kind,
        "created_at": found_one.created_at,
        "expires_at": found_one.expires_at,
    }


def list_own_invitations(call: Call) -> Page[OwnInvitation]:
    """List the invitations that wait for the caller; none to who is let in for some businesses only."""
    found = people.own_invitations(call) if call.credential.businesses is None else []
    page = call.page
    return Page(len(found), found[page.offset : page.offset + page.size])


def accept_invitation(work: Work, invitation_id: int, body: AcceptRequest) -> OwnInvitation:
    """Come into the business that an invitation is to."""
    return people.accept(work, invitation_id, body.code)


AREA = Area("user", "/v1/user/", "user", one="", request="user:UserRequest", response="user:CurrentUser")
AREA.get(_get, summary="Show the caller.", narrowed=True)
AREA.change(_change, "Replace the caller's own data.", "Change the caller's own data.")

TOKEN = Area("user", "/v1/user/token/", one="", response="user:OwnToken")
TOKEN.look("", get_token, "Show what the caller's token is, and until when it holds.", local=True)

INVITATIONS = Area("user", "/v1/user/invitations/", "invitation", response="user:OwnInvitation")
INVITATIONS.page("", list_own_invitations, "List the invitations that wait for the caller.", local=True)
INVITATIONS.act(
    "accept/", accept_invitation, "Accept an invitation to a business.", request="user:AcceptRequest", local=True
)
INVITATIONS.act(
    "reject/",
    people.reject,
    "Reject an invitation to a business.",
    name="reject_invitation",
    request="user:AcceptRequest",
    local=True,
)

IN_BUSINESS = Area("user", f"{ONE_BUSINESS}me/", one="", response="user:BusinessPermissions")
IN_BUSINESS.look("permissions/", get_permissions, "Show what the caller may do in this business.")
