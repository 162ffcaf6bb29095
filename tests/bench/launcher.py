"""Run a command and tell its seconds and its peak memory, on the file descriptor of the first argument.

Linux counts what a process held before it became another program into that program's peak. So what starts a command
under measurement is this, which holds next to nothing, and not the benchmark with all its figures.
"""

from __future__ import annotations

import os
import sys
import time

figures, program = int(sys.argv[1]), sys.argv[2:]
os.set_inheritable(figures, False)
began = time.perf_counter()
_, status, usage = os.wait4(os.posix_spawn(program[0], program, os.environ), 0)
os.write(figures, f"{time.perf_counter() - began} {usage.ru_maxrss}".encode())
sys.exit(os.waitstatus_to_exitcode(status))
