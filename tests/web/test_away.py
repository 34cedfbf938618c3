"""While the database cannot be reached everybody is told so, over HTTP and live, and afterwards it goes on."""

import time
from pathlib import Path

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from aceking.client import House
from aceking.web.sessions import CLOSED_AWAY, COOKIE
from tests.house.campaign import wire
from tests.house.campaign.database import database
from tests.house.conftest import POSTGRESQL
from tests.web.served import Served, founded, table

pytestmark = POSTGRESQL


def test_a_client_that_comes_meanwhile_is_told_to_try_again_and_not_refused_access(tmp_path: Path) -> None:
    with database() as server, wire.wired(server) as (between, folder):
        address = wire.through(folder, server.house("away"))
        founded(address, table("one", "section10"))
        served = Served(address, tmp_path).start()
        try:
            with served.person("p1") as ann:
                assert _live(served, ann) is None
                between.orders(1, wire.Trouble("before", lasting=True))
                time.sleep(1.1)  # a session is looked up again after a second
                assert _live(served, ann) == CLOSED_AWAY
                for path in ("/api/me", "/api/tables/one/rounds"):
                    told = ann._http.get(path)
                    assert (told.status_code, told.json()["code"]) == (503, "not-written")
                assert httpx.get(f"{served.address}/api/house").status_code == 200  # for which nothing is looked up
                between.mend()
                assert ann._http.get("/api/me").json()["name"] == "p1"
                assert _live(served, ann) is None
            assert "Traceback" not in served.told
        finally:
            served.ended()


def _live(served: Served, somebody: House) -> int | None:
    """The code that a live connection is closed with, if it is before it is welcome."""
    cookie = f"{COOKIE}={somebody._http.cookies[COOKIE]}"
    url = served.address.replace("http", "ws", 1) + "/api/live"
    with connect(url, additional_headers={"Cookie": cookie}) as socket:
        try:
            assert '"welcome"' in str(socket.recv(timeout=120))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 0
    return None
