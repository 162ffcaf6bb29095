"""Your own user profile."""

from __future__ import annotations

from acctcli.cli.command.classes import Command, Context, UpdateCommand, new_group
from acctcli.cli.output.show import show
from acctcli.cli.session.state import state

COLUMNS = ("id", "email", "first_name", "last_name", "language", "last_active_business_slug", "date_joined")

app = new_group(__doc__, shows="user:CurrentUser")


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
