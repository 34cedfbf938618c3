"""Prometheus metrics of a server. Each worker process answers with the sums over all of them."""

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
#: Upper ends of the histogram buckets, in seconds from a request to its reply; the last is infinite.
_ENDS: Sequence[float] = Histogram.DEFAULT_BUCKETS
#: Offsets in a process's row: requests by outcome, requests by bucket, sum of seconds, open connections.
_BY_OUTCOME = {outcome: place for place, outcome in enumerate(OUTCOMES)}
_BY_SECONDS = len(OUTCOMES)
_SECONDS = _BY_SECONDS + len(_ENDS)
_CONNECTIONS = _SECONDS + 1
_FIGURES = _CONNECTIONS + 1
_WIDTH = 8  # bytes per figure


class ServerFigures:
    """The figures of all processes in shared memory, made before the fork. Each process writes its own row only."""

    def __init__(self, processes: int = 1) -> None:
        self._memory = memoryview(mmap.mmap(-1, processes * _FIGURES * _WIDTH)).cast("d")
        self.processes = processes

    def row(self, process: int) -> "memoryview[float]":
        return self._memory[process * _FIGURES : (process + 1) * _FIGURES]

    def sums(self) -> list[float]:
        """Return each figure summed over all processes."""
        return [sum(column) for column in zip(*(self.row(process) for process in range(self.processes)), strict=True)]


class Metrics(Collector):
    """Counts for one process, and reports the sums over all."""

    def __init__(self, figures: ServerFigures | None = None, process: int = 0) -> None:
        self._all = figures or ServerFigures()
        self._own = self._all.row(process)
        self._own[_CONNECTIONS] = 0  # an earlier process with this number may have died
        self._house: Running | None = None
        self._registry = CollectorRegistry()

    def count(self, outcome: str, seconds: float) -> None:
        """Count one answered request."""
        own = self._own
        own[_BY_OUTCOME[outcome]] += 1
        own[_BY_SECONDS + bisect_left(_ENDS, seconds)] += 1
        own[_SECONDS] += seconds

    def connected(self, number: int) -> None:
        """Set the number of open live connections."""
        self._own[_CONNECTIONS] = number

    def text(self, house: Running) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        if self._house is None:
            self._house = house
            self._registry.register(self)
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        assert self._house is not None
        sums = self._all.sums()
        requests = CounterMetricFamily("aceking_requests", "Requests answered, by outcome", labels=["outcome"])
        for outcome, place in _BY_OUTCOME.items():
            requests.add_metric([outcome], sums[place])
        yield requests
        cumulative = accumulate(sums[_BY_SECONDS:_SECONDS])
        yield HistogramMetricFamily(
            "aceking_request_seconds",
            "Seconds from a request to its durable reply",
            buckets=[
                ("+Inf" if end == float("inf") else str(end), count)
                for end, count in zip(_ENDS, cumulative, strict=True)
            ],
            sum_value=sums[_SECONDS],
        )
        standing = [one for one in self._house.floor.tables.values() if not one.gone]
        for name, help_text, value in (
            ("connections", "Open live connections", sums[_CONNECTIONS]),
            ("log_entries", "Entries of the log", self._house.desk.seq),
            ("tables", "Tables on the floor", len(standing)),
            ("rounds_live", "Rounds under way", sum(one.table.live_round is not None for one in standing)),
        ):
            yield GaugeMetricFamily(f"aceking_{name}", help_text, value=value)


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def metrics(state: State) -> Response[Any]:
    return Response(state.metrics.text(state.house), media_type=CONTENT_TYPE_LATEST)
