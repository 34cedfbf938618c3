"""What people asked for and were told, line by line as it went over the wire, so that a campaign can go on."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from aceking.web.live import messages as m

_READ: "msgspec.json.Decoder[m.Ask | m.Answer]" = msgspec.json.Decoder(m.Ask | m.Answer)


class Journal:
    """One file. A request is in it before it is sent, an answer when it has arrived."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()
        whole = path.read_bytes().rpartition(b"\n")
        with path.open(
            "r+b"
        ) as file:  # who was killed while he wrote has left half a line: it was neither sent nor heard
            file.truncate(len(whole[0]) + len(whole[1]))
        self._file = path.open("ab", buffering=0)

    def notes(self, message: m.Ask | m.Answer) -> None:
        """One line more."""
        self._file.write(msgspec.json.encode(message) + b"\n")

    def read(self) -> Iterator[m.Ask | m.Answer]:
        """All of them, from the first."""
        with self.path.open("rb") as file:
            yield from map(_READ.decode, file)

    def close(self) -> None:
        """It is kept."""
        self._file.close()
