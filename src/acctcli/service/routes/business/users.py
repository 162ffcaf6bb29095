"""The people of a business: `/v1/business/{business_slug}/users/` and `.../invitations/` (docs/interface.md 2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.models.enums import InvitationStatus
from acctcli.service.cases import people
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import ADMIN, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import Parameter
from acctcli.service.routes.query import Page
from acctcli.service.store.people import invitations, memberships

if TYPE_CHECKING:
    from acctcli.models.user import BusinessInvitation, Member
    from acctcli.service.delivery.outbox import Parcel

STATUSES = tuple(InvitationStatus)


def list_members(call: Call) -> Page[Member]:
    """List the people of the business, those who came first before the others."""
    page, email = call.page, call.query.text("email") or ""
    total, rows = memberships.page(call.conn, call.business.id, email, limit=page.size, offset=page.offset)
    return Page(total, list(map(people.show_member, rows)))


def list_invitations(call: Call) -> Page[BusinessInvitation]:
    """List the invitations that were not withdrawn, the oldest first; of those that are open the ones that wait."""
    page, status = call.page, call.query.choice("status", STATUSES) or ""
    total, rows = invitations.page(call.conn, call.business.id, status, call.stamp, limit=page.size, offset=page.offset)
    return Page(total, [people.show_to_business(call, row) for row in rows])


def _pack(call: Call, mark: str) -> Parcel:
    from acctcli.service.cases.inviting import pack_invitation

    return pack_invitation(call, call.body, call.installation, mark)


def create_invitation(call: Call) -> BusinessInvitation:
    """Note that somebody was invited."""
    from acctcli.service.cases.inviting import record_invitation

    return record_invitation(call, call.body, call.installation)


USERS = Area("users", f"{ONE_BUSINESS}users/", "user", read=ADMIN, write=ADMIN, response="user:Member")
USERS.page(
    "",
    list_members,
    "List the people of the business and what they may do.",
    Parameter("email", "string", "The whole address, in upper or lower case."),
    local=True,
)
USERS.act(
    "action/grant/",
    people.grant_permissions,
    "Let somebody do more in the business.",
    request="user:GrantRequest",
    local=True,
)
USERS.act(
    "action/revoke/",
    people.revoke_permissions,
    "Let somebody do less in the business.",
    request="user:RevokeRequest",
    local=True,
)
USERS.delete(people.remove_member, summary="Take somebody out of the business.", name="remove_member", local=True)

INVITATIONS = Area(
    "users", f"{ONE_BUSINESS}invitations/", "invitation", read=ADMIN, write=ADMIN, response="user:BusinessInvitation"
)
INVITATIONS.page(
    "",
    list_invitations,
    "List the invitations to the business.",
    Parameter("status", "string", "What has become of them; OPEN finds those that still wait.", STATUSES),
    local=True,
)
INVITATIONS.handle(
    "POST",
    "",
    create_invitation,
    "create_invitation",
    "Invite somebody to the business, by mail.",
    needs=ADMIN,
    request="user:InvitationRequest",
    response=INVITATIONS.response,
    status=201,
    sends=_pack,
    local=True,
)
INVITATIONS.delete(
    people.withdraw_invitation, summary="Withdraw an invitation.", name="withdraw_invitation", local=True
)
