"""A process that writes until it is killed, and says of each command that it is safe only when the store has said so.

Each command moves the writer's own stream and the cage, which all writers share. After a restart a writer sends
its last few commands again, with the same ids, as a client does that got no answer.
"""

import random
from multiprocessing.connection import Connection

from aceking.house.record import Unit
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Conflict, Repeated, Written
from tests.house.store.units import unit

AGAIN = 6


def numbered(name: str, number: int, cage: int) -> Unit:
    """A writer's n-th command, decided on this version of the cage."""
    return unit(f"{name}-{number}", (f"table/{name}", number, 1), ("cage", cage, 1))


def write(url: str, name: str, count: int, said: Connection) -> None:
    """Write `count` commands; report (id, seq) of each one that is safe."""
    chance = random.Random()
    store = open_store(url)
    heads = store.heads()
    number = max(0, heads.get(f"table/{name}", 0) - AGAIN)
    while number < count:
        size = min(chance.randint(1, 8), count - number)
        cage = heads.get("cage", 0)
        # Sent again, a command is known by its id, whatever it was decided on.
        behind = max(0, heads.get(f"table/{name}", 0) - number)
        units = [numbered(name, number + n, cage + max(0, n - behind)) for n in range(size)]
        for one, outcome in zip(units, store.append(units), strict=True):
            match outcome:
                case Written(seq=seq) | Repeated(seq=seq):
                    said.send((one.id, seq))
                    number += 1
                case Conflict(stream="cage"):
                    break
                case _:
                    raise AssertionError(outcome)
        heads = store.heads()
    store.close()
