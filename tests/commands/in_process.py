"""The command line in this process: the same code from the list of arguments on, without the time of a start."""

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

from aceking.cli import main

ROOT = Path(__file__).resolve().parents[2]


def aceking(
    *words: str, given: str = "", cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """What `aceking` with these words comes to: exit status, standard output and standard error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    before = Path.cwd()
    with ExitStack() as changed:
        changed.callback(os.chdir, before)
        changed.enter_context(mock.patch.dict(os.environ, env or {}))
        changed.enter_context(mock.patch.object(sys, "argv", ["aceking", *words]))
        changed.enter_context(mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")))
        changed.enter_context(mock.patch.object(sys, "stdout", out))
        changed.enter_context(mock.patch.object(sys, "stderr", err))
        os.chdir(cwd)
        try:
            main()
        except SystemExit as left:
            status = int(left.code or 0)
        out.flush()
        err.flush()
        texts = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]
    return subprocess.CompletedProcess(["aceking", *words], status, *texts)
