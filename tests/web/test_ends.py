"""How connections and servers end: in order, when a peer vanishes, when a floor cannot go on."""

import base64
import os
import signal
import socket
import time
from pathlib import Path

import psycopg
import pytest

from aceking.house.floor import requests as w
from aceking.house.store.open import open_store
from tests.house.conftest import POSTGRESQL
from tests.web.served import Served, founded, table

pytestmark = pytest.mark.proof


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_told_to_stop_ends_in_order_and_leaves_a_snapshot(by: signal.Signals, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    founded(url, quick=True)
    served = Served(url, tmp_path, seeded=False).start()
    assert served.stop(by) == 0, served.told
    store = open_store(url, only_read=True)
    assert store.snapshots()["floor"].seq == store.last()[0]
    store.close()


def _connected(served: Served, cookies: str) -> socket.socket:
    """A live connection that watches a table, and whose owner answers nothing from then on."""
    host, _, port = served.address.removeprefix("http://").partition(":")
    found = socket.create_connection((host, int(port)), timeout=120)
    key = base64.b64encode(os.urandom(16)).decode()
    found.sendall(
        f"GET /api/live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nCookie: {cookies}\r\n\r\n".encode()
    )
    heard = b""
    while b"welcome" not in heard:
        heard += found.recv(65536)
    watch = b'{"is":"watch","table":"one"}'
    found.sendall(bytes([0x81, 0x80 | len(watch)]) + bytes(4) + watch)
    return found


def test_a_peer_that_vanished_is_disconnected_and_its_player_is_away(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    founded(url, table("one", "section10"), ("p1", w.SitRequest(table="one", box=1)), quick=True)
    served = Served(url, tmp_path, env={"ACEKING_HEARTBEAT_SECONDS": "1"}).start()
    try:
        with served.person("p1") as ann:
            cookies = "; ".join(f"{one.name}={one.value}" for one in ann._http.cookies.jar)
            with _connected(served, cookies) as silent:
                heard = b""
                while data := silent.recv(65536):  # it reads, and says nothing: not even that it is there
                    heard += data
                assert b'"is":"table"' in heard
                assert b"keepalive" in heard
                ends = time.monotonic() + 20
                while ann.table("one").rail.away != ("p1",):
                    assert time.monotonic() < ends, served.told
                    time.sleep(0.05)
    finally:
        served.stop()


def test_who_does_not_answer_does_not_keep_the_house_from_closing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    founded(url, table("one", "section10"), ("p1", w.SitRequest(table="one", box=1)), quick=True)
    served = Served(url, tmp_path).start()
    try:
        with served.person("p1") as ann:
            cookies = "; ".join(f"{one.name}={one.value}" for one in ann._http.cookies.jar)
            with _connected(served, cookies) as silent:
                assert served.stop() == 0, served.told
                heard = b""
                while data := silent.recv(65536):
                    heard += data
                assert b"\x88" in heard
                assert b"\x03\xf4" in heard  # 1012, as a service says that begins again
    finally:
        served.ended()
    assert "Traceback" not in served.told


@POSTGRESQL
def test_a_server_whose_floor_stands_still_ends_and_says_why(database: str, tmp_path: Path) -> None:
    founded(database, table("one", "section10"), quick=True)
    served = Served(database, tmp_path).start()
    try:
        with psycopg.connect(database, autocommit=True) as other:
            other.execute("UPDATE log SET hash = %s WHERE seq = (SELECT max(seq) FROM log)", (bytes(32),))
            other.execute("INSERT INTO log SELECT seq + 1, at, key, body, hash FROM log ORDER BY seq DESC LIMIT 1")
            other.execute("SELECT pg_notify('aceking_log', (SELECT max(seq)::text FROM log))")
        ends = time.monotonic() + 20
        while served.process.poll() is None and time.monotonic() < ends:
            time.sleep(0.05)
        assert served.process.poll() == 2, served.told
        assert "the house had to stop" in served.told
        assert "the log is damaged at entry" in served.told
    finally:
        served.ended()
