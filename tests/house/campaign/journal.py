"""A file of the requests that people sent and the answers they got, so that a stopped campaign can continue."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from aceking.web.live import messages as m

_READ: "msgspec.json.Decoder[m.Ask | m.Answer]" = msgspec.json.Decoder(m.Ask | m.Answer)


class Journal:
    """One file. A request is written to it before it is sent, an answer when it has arrived."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()
        whole = path.read_bytes().rpartition(b"\n")
        with path.open("r+b") as file:  # a writer that was killed may have left half a line
            file.truncate(len(whole[0]) + len(whole[1]))
        self._file = path.open("ab", buffering=0)

    def notes(self, message: m.Ask | m.Answer) -> None:
        """Append one message."""
        self._file.write(msgspec.json.encode(message) + b"\n")

    def read(self) -> Iterator[m.Ask | m.Answer]:
        """Yield all messages from the first."""
        with self.path.open("rb") as file:
            yield from map(_READ.decode, file)

    def close(self) -> None:
        self._file.close()
