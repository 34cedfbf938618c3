"""Limits by what was refused: a leaky bucket for each address and each account, and a queue for those above theirs.

A few refusals cost nothing. An address above its limit takes turns in the queue (queue.py), one for each connection. An
attacker with many addresses has the allowance of each of them, so refusals to unknown addresses also fill one bucket
that they share: above its limit all unknown addresses take turns. An address is known if an account with few refusals
was served there lately. One address alone cannot fill the shared bucket.
"""

import time
from ipaddress import IPv6Address, ip_address, ip_network

from aceking.house.login import SESSION_MS
from aceking.web.limits.leaky_bucket import LeakyBucket, MonotonicClock, keep
from aceking.web.limits.queue import Queue

#: Seconds of allowed refusals: at the limit of a bucket, and when it is full.
_LIMIT_SECONDS, _FULL_SECONDS, _SHARED_FULL_SECONDS = 10, 40, 15
#: What unknown addresses are allowed together, in allowances of one address: one alone stays below, two do not.
SHARED = 1.5
#: Addresses that one account makes known, the last it was served at, and for how long: that of a session.
KNOWN_EACH, KNOWN_SECONDS = 4, SESSION_MS / 1000
_UNKNOWN = "all unknown addresses"


class RateLimits:
    """The buckets of addresses and accounts, the known addresses, and the queue."""

    def __init__(self, refusals_a_minute: int, clock: MonotonicClock = time.monotonic) -> None:
        def bucket(allowed: float, full_seconds: float = _FULL_SECONDS) -> LeakyBucket:
            return LeakyBucket(allowed, limit=_LIMIT_SECONDS * allowed, capacity=full_seconds * allowed, clock=clock)

        allowed = refusals_a_minute / 60
        self._clock = clock
        self._addresses, self._accounts = bucket(allowed), bucket(allowed)
        self._shared = bucket(SHARED * allowed, _SHARED_FULL_SECONDS)
        self._known: dict[str, tuple[str, float]] = {}  # address: the account served there, and when it last was
        self.queue = Queue(clock)

    def refused(self, address: str, cost: float = 1.0, *, account: str | None = None) -> None:
        """Count a refusal for its address, for the account that asked, and for all unknown addresses together."""
        if not self._addresses.over(address) and not self.known(address):
            self._shared.add(_UNKNOWN, cost)
        self._addresses.add(address, cost)
        if account is not None:
            self._accounts.add(account, cost)

    def limited(self, address: str) -> bool:
        """Return True if connections and log-ins from this address must wait for a turn."""
        return self._addresses.over(address) or (self._shared.over(_UNKNOWN) and not self.known(address))

    def served(self, address: str, account: str) -> None:
        """Make the address known by this account, unless another account has done so or this one is over its limit."""
        by, _ = self._known.get(address, ("", 0.0))
        if self._accounts.over(account) or (by != account and self.known(address)):
            return
        if by != account:
            own = [known for known, (who, _) in self._known.items() if who == account]
            if len(own) >= KNOWN_EACH:
                del self._known[own[0]]  # the one it was served at longest ago
        keep(self._known, address, (account, self._clock()))

    def known(self, address: str) -> bool:
        """Return True if an account that is not over its limit was served at this address in the last twelve hours."""
        account, when = self._known.get(address, ("", 0.0))
        return bool(account) and self._clock() - when <= KNOWN_SECONDS and not self._accounts.over(account)


def address_of(client: tuple[str, int] | None) -> str:
    """Return the address that has a bucket: of IPv6 the /64 network, all of which one customer has."""
    if client is None:
        return "nowhere"
    try:
        address = ip_address(client[0])
    except ValueError:
        return client[0][:100]
    return str(ip_network((address, 64), strict=False)) if isinstance(address, IPv6Address) else str(address)
