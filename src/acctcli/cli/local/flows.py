"""Workflows of the books on this machine, where nothing is served (docs/interface.md 11.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.cli.session.state import State

if TYPE_CHECKING:
    from acctcli.service.http.embedded import EmbeddedService


def advance_workflows(here: State, service: EmbeddedService, *, allows_private: bool) -> int:
    """Begin the runs that events trigger, advance those that are due, and say how each ended; return how many did.

    What waits because a workflow began too many is named, too.
    """
    ended = 0
    for ran in service.advance_workflows(allows_private=allows_private):
        ended += 1
        why = f": {ran.error}" if ran.error else ""
        here.say(f"run {ran.run_id} of workflow {ran.workflow_id} in {ran.business} is {ran.status}{why}")
    for held in service.held_workflows():
        what = f"workflow {held.workflow_id} in {held.slug}"
        here.say(f"{what} began too many runs: what else it is to do waits until {held.until}")
    return ended
