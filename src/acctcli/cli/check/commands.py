"""Look through the books: figures that differ, gaps, drafts, what lacks a receipt."""

from __future__ import annotations

from acctcli.cli.command.classes import CheckCommand, Context, new_group
from acctcli.cli.output.show import show_values
from acctcli.cli.session.state import state

app = new_group(__doc__)


@app.command("check", cls=CheckCommand)
def check(ctx: Context) -> None:
    """Look through all of the books and name what is wrong, one row each; a figure that differs is exit 10.

    Fingerprints of closed periods are taken again, the audit trail is recomputed, the database is looked through,
    records are compared with what was recorded of them last, entries with what documents post, and every total is
    added up by a second way. Gaps in numbers, drafts, days outside of periods, documents without a receipt, clearing
    accounts that are not empty, receivables that are not the open invoices, purchase invoices that say that they are
    paid and are not, money that no claim takes, and bank accounts that are not as statements say are named, too.
    --output junit is for CI.

    Example: acctcli check
    """
    from acctcli.cli.check.parts import look_through
    from acctcli.cli.output.check import check_output
    from acctcli.cli.output.stderr import how_many
    from acctcli.errors import Incomplete

    here = state(ctx)
    check_output(here)
    checked = look_through(here)
    if here.format == "junit":
        from acctcli.cli.check.junit import write

        write(here, checked)
    else:
        rows = [finding._asdict() for finding in checked.findings]
        show_values(here, rows, ("part", "record", "problem", "remedy"))
    if checked.left_out:
        here.say(f"not looked at, because {checked.why}: {', '.join(checked.left_out)}")
    if checked.ended is not None:
        raise checked.ended
    faults = sum(finding.is_fault for finding in checked.findings)
    if faults:
        raise Incomplete(f"{how_many(faults, 'figure')} of the books cannot be relied on; the rows say which")
    here.say(f"no figure differs; {how_many(len(checked.findings), 'other finding')}")
