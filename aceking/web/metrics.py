"""Figures of a running server for Prometheus."""

from typing import Any

from litestar import Response, get
from litestar.datastructures import State
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from aceking.house.running import Running
from aceking.web.hub import Hub


class Metrics:
    """What is counted; one for each application, so that two in one process do not meet."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "aceking_requests_total", "Requests answered, by what came of them", ["outcome"], registry=self.registry
        )
        self.outcomes = {one: self.requests.labels(one) for one in ("done", "refused", "not-written")}
        self.seconds = Histogram(
            "aceking_request_seconds", "From a request to its answer on disk", registry=self.registry
        )
        self.connections = Gauge("aceking_connections", "Open live connections", registry=self.registry)
        self.entries = Gauge("aceking_log_entries", "Entries of the log", registry=self.registry)
        self.tables = Gauge("aceking_tables", "Tables on the floor", registry=self.registry)
        self.rounds = Gauge("aceking_rounds_live", "Rounds under way", registry=self.registry)

    def text(self, house: Running, hub: Hub) -> bytes:
        """Everything as Prometheus reads it."""
        standing = [one for one in house.floor.tables.values() if not one.gone]
        self.connections.set(len(hub.connections))
        self.entries.set(house.desk.seq)
        self.tables.set(len(standing))
        self.rounds.set(sum(one.table.live_round is not None for one in standing))
        return generate_latest(self.registry)


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def metrics(state: State) -> Response[Any]:
    """For Prometheus."""
    return Response(state.metrics.text(state.house, state.hub), media_type=CONTENT_TYPE_LATEST)
