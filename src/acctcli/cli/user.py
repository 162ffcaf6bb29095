"""Your own user profile, and the people of a business."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.called import as_id
from acctcli.cli.command.classes import (
    ActionCommand,
    Command,
    Context,
    DeleteCommand,
    ListCommand,
    UpdateCommand,
    new_group,
    shows,
)
from acctcli.cli.command.options import field, many, wire_name
from acctcli.cli.completing.values import value_of
from acctcli.cli.output.show import show, show_done, show_rows
from acctcli.cli.session.state import State, state
from acctcli.errors import NotFound, UsageError

COLUMNS = ("id", "email", "first_name", "last_name", "language", "last_active_business_slug", "date_joined")
MEMBER = ("id", "email", "first_name", "last_name", "permission_group", "permissions")
INVITED = ("id", "email", "status", "is_over", "permission_group", "permissions", "expires_at")
OWN = ("id", "business_slug", "business_name", "inviter", "permission_group", "expires_at", "needs_code", "status")

app = new_group(__doc__, shows="user:CurrentUser")


# what may be granted: custom is what others are called, which are named one by one
ROLES = ("admin", "read_only", "bookkeeping", "invoicing")
_IN_WORDS = tuple(role.replace("_", "-") for role in ROLES)


def _word(written: str) -> str:
    """Return a role or a permission as the wire writes it: read-only is read_only."""
    return wire_name(written).lower()


def _role(written: str) -> str:
    """Return a role as the wire writes it; raise UsageError for what is none, or none that is granted."""
    if _word(written) not in ROLES:
        told = f"{written!r} is no role that can be granted: {', '.join(_IN_WORDS)}"
        raise UsageError(f"permission_group (--role): {told}", fields={"permission_group": [told]})
    return _word(written)


def _complete_role(incomplete: str) -> list[str]:
    return [role for role in _IN_WORDS if role.startswith(incomplete)]


ROLE = field(
    "permission_group",
    "--role",
    metavar="ROLE",
    read=_role,
    complete=_complete_role,
    help="All that a role may: admin, read-only, bookkeeping or invoicing.",
)
PERMISSIONS = many(
    "permissions",
    "--permission",
    "KEY",
    "A single permission; `acctcli constant get permissions` lists them.",
    read=_word,
    complete=value_of("PermissionKey"),
)
ADDRESS = field("email", "--email", metavar="ADDRESS", help="Only who has this address.")
STATUS = field(
    "status",
    "--status",
    metavar="STATUS",
    read=lambda written: wire_name(str(written)),
    complete=value_of("InvitationStatus"),
    help="Only what has come to this: open, and not over, accepted or rejected.",
)
Person = Annotated[str, typer.Argument(metavar="PERSON", help="The person's id in the list, or their address.")]
Invited = Annotated[str, typer.Argument(metavar="ADDRESS", help="Whom to invite: an e-mail address.")]
InvitationId = Annotated[int, typer.Argument(metavar="INVITATION", min=1, help="The invitation's id.")]
Mine = Annotated[bool, typer.Option("--mine", help="Those that wait for you, of any business.")]
WithCode = Annotated[
    bool, typer.Option("--with-code", help="Ask for the code of the mail, or read it from standard input.")
]


@app.command("get", cls=Command)
def get_user(ctx: Context) -> None:
    """Show who you are.

    Example: acctcli user get
    """
    here = state(ctx)
    show(here, here.api.user(), COLUMNS)


@app.command("update", cls=UpdateCommand)
def update_user(ctx: Context) -> None:
    """Change the fields given, and no others.

    Example: acctcli user update --set language=sv
    """
    from acctcli.cli.command.body import read_changes
    from acctcli.models.user import UserRequest

    here = state(ctx)
    show(here, here.api.update_user(read_changes(here, UserRequest)), COLUMNS)


@app.command("replace", cls=UpdateCommand)
def replace_user(ctx: Context) -> None:
    """Replace your profile; what is not given goes back to its default.

    Example: acctcli user replace --set first_name=Anna --set last_name=Virtanen
    """
    from acctcli.cli.command.body import read_body
    from acctcli.models.user import UserRequest

    here = state(ctx)
    show(here, here.api.replace_user(read_body(here, UserRequest)), COLUMNS)


# --- the people of a business, in the environment local ---


@app.command("list", cls=ListCommand.taking(ADDRESS))
@shows("user:Member")
def list_people(ctx: Context) -> None:
    """List the people of the business and what they may do.

    Example: acctcli user list
    """
    here = _local(ctx)
    show_rows(here, here.api.members.list(here.named, here.extent), MEMBER)


@app.command("invite", cls=ActionCommand.taking(ROLE, PERMISSIONS))
@shows("user:BusinessInvitation")
def invite_person(ctx: Context, address: Invited) -> None:
    """Invite somebody to the business, by mail; they come in by accepting, within 14 days.

    Example: acctcli user invite dora@example.com --role bookkeeping
    """
    from acctcli.cli.command.body import check
    from acctcli.models.user import InvitationRequest

    here = _local(ctx)
    body = check(InvitationRequest, {"email": address, **_asked(here)}, "the invitation")
    show(here, here.api.invitations.create(body, here.options.idempotency_key), INVITED)
    here.say_where_mail_lies("the mail, which has the code,")
    if here.environment.in_process and not here.environ.get("ACCTCLI_PUBLIC_URL"):
        here.say(
            "note: the mail names no page to come in by, as nothing says where the books are served: "
            "ACCTCLI_PUBLIC_URL does, such as http://127.0.0.1:8320"
        )


@app.command("grant", cls=ActionCommand.taking(ROLE, PERMISSIONS))
@shows("user:Member")
def grant_permissions(ctx: Context, person: Person) -> None:
    """Let somebody do more in the business; what they may do already stays.

    Example: acctcli user grant anna@example.com --role invoicing --permission reporting_read
    """
    from acctcli.cli.command.body import check
    from acctcli.models.user import GrantRequest

    here = _local(ctx)
    body = check(GrantRequest, _asked(here))
    key = here.options.idempotency_key
    show(here, here.api.members.act(_id_of(here, person), "action/grant/", body, key), MEMBER)


@app.command("revoke", cls=ActionCommand.taking(PERMISSIONS))
@shows("user:Member")
def revoke_permissions(ctx: Context, person: Person) -> None:
    """Let somebody do less in the business; `user remove` takes them out of it.

    Example: acctcli user revoke anna@example.com --permission accounts_editor
    """
    from acctcli.cli.command.body import check
    from acctcli.models.user import RevokeRequest

    here = _local(ctx)
    if "permissions" not in here.named:
        raise UsageError(
            "nothing is revoked", hint=f"give --permission KEY; to take {person} out: acctcli user remove {person}"
        )
    body = check(RevokeRequest, here.named)
    key = here.options.idempotency_key
    show(here, here.api.members.act(_id_of(here, person), "action/revoke/", body, key), MEMBER)


@app.command("remove", cls=DeleteCommand)
@shows("user:Member")
def remove_person(ctx: Context, person: Person) -> None:
    """Take somebody out of the business; the last administrator stays.

    What their workflows do to the books fails from then on. Webhook subscriptions are the business's own and go on,
    also to addresses that were theirs: see acctcli webhook list.

    Example: acctcli user remove anna@example.com --yes
    """
    here = _local(ctx)
    here.confirm(f"Take {person} out of the business {here.business()}?")
    found = _id_of(here, person)
    here.api.members.delete(found)
    show_done(here, f"Took {person} out of the business {here.business()}.", id=found, deleted=True)


@app.command("invitations", cls=ListCommand.taking(STATUS))
@shows("user:OwnInvitation")
def list_invitations(ctx: Context, mine: Mine = False) -> None:
    """List the invitations to the business, or with --mine those that wait for you.

    Example: acctcli user invitations --status open
    """
    here = _local(ctx)
    if mine:
        if here.named:
            raise UsageError("--mine and --status exclude each other", hint="those that wait for you are open")
        show_rows(here, here.api.own_invitations.list({}, here.extent), OWN[:-1])
    else:
        show_rows(here, here.api.invitations.list(here.named, here.extent), INVITED)


@app.command("withdraw", cls=DeleteCommand)
@shows("user:BusinessInvitation")
def withdraw_invitation(ctx: Context, invitation: InvitationId) -> None:
    """Withdraw an invitation that waits.

    Example: acctcli user withdraw 3 --yes
    """
    here = _local(ctx)
    here.confirm(f"Withdraw invitation {invitation}?")
    here.api.invitations.delete(invitation)
    show_done(here, f"Withdrew invitation {invitation}.", id=invitation, deleted=True)


@app.command("accept", cls=ActionCommand)
@shows("user:OwnInvitation")
def accept_invitation(ctx: Context, invitation: InvitationId, with_code: WithCode = False) -> None:
    """Accept an invitation that waits for you; `user invitations --mine` says which need the code of their mail.

    Others can read arguments in the list of processes: the code is typed unseen, or piped into the command.

    Example: acctcli user accept 2
    """
    _answer(ctx, invitation, "accept/", with_code=with_code)


@app.command("reject", cls=ActionCommand)
@shows("user:OwnInvitation")
def reject_invitation(ctx: Context, invitation: InvitationId, with_code: WithCode = False) -> None:
    """Reject an invitation that waits for you; one that needs the code of its mail needs it for this, too.

    Example: acctcli user reject 2
    """
    _answer(ctx, invitation, "reject/", with_code=with_code)


def _answer(ctx: Context, invitation: int, action: str, *, with_code: bool) -> None:
    from acctcli.cli.command.body import check
    from acctcli.models.user import AcceptRequest

    here = _local(ctx)
    body = check(AcceptRequest, {"code": _read_code()} if with_code else {})
    show(here, here.api.own_invitations.act(invitation, action, body, here.options.idempotency_key), OWN)


def _read_code() -> str:
    from acctcli.client import known
    from acctcli.credentials.prompt import read_secret

    code = read_secret("code", "Code of the mail (not shown): ", "pipe it into the command").strip()
    known.know(code)
    return code


def _local(ctx: Context) -> State:
    here = state(ctx)
    here.require_local()
    return here


def _asked(here: State) -> dict[str, object]:
    """Return the permissions that are asked for; UsageError when there are none."""
    if not here.named:
        raise UsageError("nothing is granted", hint="give --role ROLE, or --permission KEY")
    return dict(here.named)


def _id_of(here: State, person: str) -> int:
    """Return the id of somebody in the business, who may be named by it or by their address."""
    if (number := as_id(person)) is not None:
        return number
    from acctcli.cli.output.replies import read_all, reader
    from acctcli.client.messages import Extent

    listing = here.api.members.list({"email": person}, Extent(limit=None))
    for one in read_all(listing, reader(dict[str, object], "a person")):
        found, address = one.get("id"), one.get("email")
        if isinstance(found, int) and isinstance(address, str) and address.lower() == person.lower():
            return found
    raise NotFound(f"nobody in this business has the address {person}", hint="see: acctcli user list")
