"""httpx without its own command line, which it imports (click, rich, pygments: 80 ms) where those are installed."""

import sys

sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]

import httpx  # noqa: E402 - the line above must come first

__all__ = ["httpx"]
