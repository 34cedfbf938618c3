"""The PostgreSQL of tests and benchmarks ends with who started it, also when that is killed."""

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.house.conftest import POSTGRESQL

_STARTS = """
import time
from benchmarks.store import postgres
with postgres() as url:
    print(url, flush=True)
    time.sleep(600)
"""


@POSTGRESQL
def test_a_server_whose_starter_is_killed_is_gone_with_its_files() -> None:
    starter = subprocess.Popen([sys.executable, "-W", "ignore", "-c", _STARTS], stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    address = starter.stdout.readline()
    folder = Path(address.partition("host=")[2].strip())
    pid = int((folder / "postmaster.pid").read_text(encoding="ascii").split()[0])
    os.kill(pid, 0)
    starter.kill()
    starter.wait()
    starter.stdout.close()
    ends = time.monotonic() + 60
    while folder.exists():
        assert time.monotonic() < ends, f"{folder} is still there"
        time.sleep(0.1)
    assert not Path(f"/proc/{pid}").exists()
