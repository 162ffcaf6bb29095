"""Processes that begin as copies of one that has imported what they need: that takes longer than what they do."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from typing import Final

# what is copied, once a test of this process has asked for it
_IMPORTED: Final = ["tests.service.cases.workflows.worker"]
_CONTEXT: Final = get_context("forkserver")
_CONTEXT.set_forkserver_preload(_IMPORTED)
_SECONDS: Final = 120.0


def run(work: Callable[..., None], *arguments: str) -> int:
    """Do work, a function of a module, in a process of its own; return its exit code, below zero for a signal.

    It sees the variables of the first test that asked for one.
    """
    process = _CONTEXT.Process(target=work, args=arguments)
    process.start()
    process.join(_SECONDS)
    if (code := process.exitcode) is None:
        process.kill()
    assert code is not None, f"{work.__module__} does not end"
    return code
