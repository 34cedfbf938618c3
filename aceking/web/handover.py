"""Whoever comes for a table is served by the process that has it, so that no two decide on the same table at once.

Every table is decided on by any process; where two do it at a time, one of them does it for nothing. A live connection
that says for which table it comes (`/api/live?table=7`) is handed over, with what was read of it.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from urllib.parse import parse_qs

log = logging.getLogger("aceking.web")

#: What was read of a connection is handed over whole, or not at all.
HEAD_MOST = 32_768

#: Makes the protocol of a connection, and gives it what was read.
Takes = Callable[[socket.socket, bytes], None]


class Doors:
    """The doors of all processes: one to take connections at, the others to hand them over at."""

    def __init__(self, number: int, ends: list[tuple[socket.socket, socket.socket]]) -> None:
        self.number = number
        self._takes = ends[number][0]
        self._gives = [gives for _, gives in ends]
        self.tables: Callable[[], list[str]] = list

    def other(self, target: bytes) -> int | None:
        """The process that has the table that a live connection comes for, where it is another one."""
        wanted = parse_qs(target.partition(b"?")[2].decode("latin-1")).get("table", [""])[0]
        try:
            place = self.tables().index(wanted)
        except ValueError:
            return None
        found = place % len(self._gives)
        return None if found == self.number else found

    def hand_over(self, process: int, connection: int, head: bytes) -> bool:
        """Whether another process takes a connection; otherwise it is for this one to serve."""
        if len(head) > HEAD_MOST:
            return False
        try:
            socket.send_fds(self._gives[process], [head], [connection])
        except OSError:  # its door is full: it has much to do, or begins
            return False
        return True

    def open(self, takes: Takes) -> None:
        """From now on others may hand connections over."""
        asyncio.get_running_loop().add_reader(self._takes, self._taken, takes)

    def _taken(self, takes: Takes) -> None:
        try:
            head, descriptors, _, _ = socket.recv_fds(self._takes, HEAD_MOST, 1)
        except OSError as failed:
            log.error("a connection could not be taken over: %s", failed)
            return
        for one in descriptors:
            takes(socket.socket(fileno=one), head)


def doors(processes: int) -> list[tuple[socket.socket, socket.socket]]:
    """A door for each of them, made before they are."""
    found = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(processes)]
    for end in (end for pair in found for end in pair):
        end.setblocking(False)
    return found
