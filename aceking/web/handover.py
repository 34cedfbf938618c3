"""Hand live connections over between worker processes, so that one process decides most requests of a table.

Any process can decide for any table, but if two do so at once, one of the decisions is wasted. A live connection that
names its table (`/api/live?table=7`) is passed to the process of that table, with the bytes read from it so far.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from urllib.parse import parse_qs

log = logging.getLogger("aceking.web")

#: A connection with more unprocessed bytes than this is not handed over.
HEAD_BYTES_MAX = 32_768

#: Serves a connection from another process, with the bytes read from it so far.
Accept = Callable[[socket.socket, bytes], None]


class Handover:
    """The socket pairs between worker processes, as process `number` uses them: to receive and to send connections."""

    def __init__(self, number: int, pairs: list[tuple[socket.socket, socket.socket]]) -> None:
        self.number = number
        self._receiver = pairs[number][0]
        self._senders = [sender for _, sender in pairs]
        self.tables: Callable[[], list[str]] = list

    def other(self, target: bytes) -> int | None:
        """Return the process of the table that a request target names. None if it is this one or no table is named."""
        wanted = parse_qs(target.partition(b"?")[2].decode("latin-1")).get("table", [""])[0]
        try:
            index = self.tables().index(wanted)
        except ValueError:
            return None
        process = index % len(self._senders)
        return None if process == self.number else process

    def hand_over(self, process: int, connection: int, head: bytes) -> bool:
        """Send a connection to another process. Returns False if that failed: then this process must serve it."""
        if len(head) > HEAD_BYTES_MAX:
            return False
        try:
            socket.send_fds(self._senders[process], [head], [connection])
        except OSError:  # its queue is full: it is busy or starting
            return False
        return True

    def open(self, accept: Accept) -> None:
        """Accept connections from other processes from now on."""
        asyncio.get_running_loop().add_reader(self._receiver, self._receive, accept)

    def _receive(self, accept: Accept) -> None:
        try:
            head, descriptors, _, _ = socket.recv_fds(self._receiver, HEAD_BYTES_MAX, 1)
        except OSError as failed:
            log.error("a connection from another process could not be received: %s", failed)
            return
        for descriptor in descriptors:
            accept(socket.socket(fileno=descriptor), head)


def socket_pairs(processes: int) -> list[tuple[socket.socket, socket.socket]]:
    """Return one socket pair per process, to be made before the fork."""
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(processes)]
    for end in (end for pair in pairs for end in pair):
        end.setblocking(False)
    return pairs
