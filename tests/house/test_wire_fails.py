"""The connection of a house to PostgreSQL is cut in a round with a jackpot: some of what the campaign does to all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from aceking.house.store.sql.postgres import PostgresStore
from tests.house.campaign import wire
from tests.house.campaign.database import database
from tests.house.campaign.writes import Broken
from tests.house.conftest import POSTGRESQL

pytestmark = POSTGRESQL
BEFORE, AFTER = wire.Trouble("before", lasting=False), wire.Trouble("after", lasting=True)


@pytest.fixture(scope="module")
def between() -> Iterator[tuple[wire.Between, Path, int]]:
    """The socket, its folder, and the first message of the round that names a commit of the log."""
    with database() as server, wire.wired(server) as (between, folder):
        assert wire.messages(between, folder) > 500
        yield between, folder, between.commits[-1]


@pytest.mark.parametrize("trouble", [BEFORE, AFTER, wire.DISK], ids=str)
def test_whatever_connection_is_cut_or_disk_fails_the_log_is_the_one_without_a_fault(
    between: tuple[wire.Between, Path, int], trouble: wire.Trouble
) -> None:
    socket, folder, commit = between
    replay = wire.played(socket, folder, commit, trouble)
    assert socket.said > commit
    assert replay.not_written > 0 or trouble == AFTER
    assert socket.database.panics == (trouble == wire.DISK)


def test_a_store_that_takes_a_lost_commit_for_done_is_found(
    between: tuple[wire.Between, Path, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    socket, folder, commit = between
    monkeypatch.setattr(PostgresStore, "_was_written", lambda self, batch: True)
    with pytest.raises(Broken):
        wire.played(socket, folder, commit, BEFORE)


def test_a_start_that_cannot_listen_says_so_and_the_next_goes_on(between: tuple[wire.Between, Path, int]) -> None:
    socket, folder, _ = between
    wire.messages(socket, folder)
    replay = wire.played(socket, folder, socket.listens[0], BEFORE)
    assert replay.not_written == 1
