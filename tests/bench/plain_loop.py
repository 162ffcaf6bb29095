"""What a careful person writes in five minutes: one page at a time, httpx, json, JSON Lines or CSV out.

Run with the benchmark's own Python: `plain_loop.py BASE_URL`. Says on stderr how many rows it wrote in
how many seconds, imports not counted.
"""

from __future__ import annotations

import json
import sys
import time

import httpx


def main(base_url: str) -> None:
    """Read every page and write its rows."""
    began = time.perf_counter()
    rows = 0
    with httpx.Client(base_url=base_url, headers={"Authorization": "Token bench"}) as client:
        page: int | None = 1
        while page is not None:
            reply = client.get("/v1/business/demo/document/", params={"page": page, "page_size": 100})
            reply.raise_for_status()
            body = reply.json()
            for row in body["results"]:
                sys.stdout.write(json.dumps(row) + "\n")
            rows += len(body["results"])
            page = body["next"]
    print(f"{rows} rows in {time.perf_counter() - began:.6f} s", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
