"""Figures of a running server for Prometheus: of all its processes, whichever of them is asked."""

import mmap
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from litestar import Response, get
from litestar.datastructures import State
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from aceking.house.running import Running

OUTCOMES = ("done", "refused", "not-written")
#: Seconds from a request to its answer: the upper ends of what is counted together; the last is without end.
_ENDS: Sequence[float] = Histogram.DEFAULT_BUCKETS
#: The places of a process's figures: requests by outcome, requests by seconds, all seconds, open connections.
_BY_OUTCOME = {outcome: place for place, outcome in enumerate(OUTCOMES)}
_BY_SECONDS = len(OUTCOMES)
_SECONDS = _BY_SECONDS + len(_ENDS)
_CONNECTIONS = _SECONDS + 1
_FIGURES = _CONNECTIONS + 1
_WIDTH = 8  # bytes of a figure


class Figures:
    """What every process counts, in memory that they share. Made before they are; each writes its own row only."""

    def __init__(self, processes: int = 1) -> None:
        self._memory = memoryview(mmap.mmap(-1, processes * _FIGURES * _WIDTH)).cast("d")
        self.processes = processes

    def row(self, process: int) -> "memoryview[float]":
        """The figures of one."""
        return self._memory[process * _FIGURES : (process + 1) * _FIGURES]

    def sums(self) -> list[float]:
        """Those of all together."""
        return [sum(one) for one in zip(*(self.row(process) for process in range(self.processes)), strict=True)]


class Metrics(Collector):
    """What one process counts, and what it tells of all."""

    def __init__(self, figures: Figures | None = None, process: int = 0) -> None:
        self._all = figures or Figures()
        self._own = self._all.row(process)
        self._own[_CONNECTIONS] = 0  # whoever had this place before has left with his connections
        self._house: Running | None = None
        self._registry = CollectorRegistry()

    def count(self, outcome: str, seconds: float) -> None:
        """A request is answered."""
        own = self._own
        own[_BY_OUTCOME[outcome]] += 1
        own[_BY_SECONDS + bisect_left(_ENDS, seconds)] += 1
        own[_SECONDS] += seconds

    def connected(self, number: int) -> None:
        """So many live connections are open."""
        self._own[_CONNECTIONS] = number

    def text(self, house: Running) -> bytes:
        """Everything as Prometheus reads it."""
        if self._house is None:
            self._house = house
            self._registry.register(self)
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """For its registry."""
        assert self._house is not None
        sums = self._all.sums()
        requests = CounterMetricFamily(
            "aceking_requests", "Requests answered, by what came of them", labels=["outcome"]
        )
        for outcome, place in _BY_OUTCOME.items():
            requests.add_metric([outcome], sums[place])
        yield requests
        counted = accumulate(sums[_BY_SECONDS:_SECONDS])
        yield HistogramMetricFamily(
            "aceking_request_seconds",
            "From a request to its answer on disk",
            buckets=[
                ("+Inf" if end == float("inf") else str(end), one) for end, one in zip(_ENDS, counted, strict=True)
            ],
            sum_value=sums[_SECONDS],
        )
        standing = [one for one in self._house.floor.tables.values() if not one.gone]
        for name, what, value in (
            ("connections", "Open live connections", sums[_CONNECTIONS]),
            ("log_entries", "Entries of the log", self._house.desk.seq),
            ("tables", "Tables on the floor", len(standing)),
            ("rounds_live", "Rounds under way", sum(one.table.live_round is not None for one in standing)),
        ):
            yield GaugeMetricFamily(f"aceking_{name}", what, value=value)


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def metrics(state: State) -> Response[Any]:
    """For Prometheus."""
    return Response(state.metrics.text(state.house), media_type=CONTENT_TYPE_LATEST)
