"""A player's request says what a player may say and nothing else."""

import msgspec
import pytest

from aceking.cards.card import cards
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver
from aceking.table.player import GiveUp, MakeBet, PlaceAnte, PlayerCommand, SeeHand, as_command
from tests.table.test_driver import FULL, round_of

READ: msgspec.json.Decoder[PlayerCommand] = msgspec.json.Decoder(PlayerCommand)


@pytest.mark.parametrize(
    "text",
    [
        '{"do":"fold","box":1,"by":"Bob"}',
        '{"do":"fold","box":1,"player":"Bob"}',
        '{"do":"fold","box":1,"role":"dealer"}',
        '{"do":"look","box":1,"at":5}',
        '{"do":"exchange","box":1,"give":"Ks","take":"As"}',
        '{"do":"ante","box":1,"amount":1000,"noticed":false}',
        '{"do":"reveal","box":1}',
        '{"do":"shuffle","box":1}',
        '{"do":"ante","box":0,"amount":1000}',
        '{"do":"ante","box":1,"amount":10000000000000000}',
        '{"do":"discard","box":1,"card":"Kx"}',
        '{"do":"ante","box":1}',
    ],
)
def test_a_player_cannot_name_another_person_role_card_or_time(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        READ.decode(text)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('{"do":"ante","box":2,"amount":-500}', c.Ante(box=2, player="Ann", amount=-500)),
        ('{"do":"side-bet","box":2,"amount":100}', c.SideBet(box=2, player="Ann", amount=100)),
        (
            '{"do":"side-bet","box":2,"amount":100,"wager":"bonus"}',
            c.SideBet(box=2, player="Ann", amount=100, wager="bonus"),
        ),
        ('{"do":"look","box":2}', c.Look(box=2, player="Ann")),
        ('{"do":"exchange","box":2,"give":"4d"}', c.Exchange(box=2, player="Ann", give=cards("4d"))),
        ('{"do":"discard","box":2,"card":"4d"}', c.Discard(box=2, player="Ann", card=cards("4d")[0])),
        ('{"do":"bet","box":2,"discard":"4d"}', c.Bet(box=2, player="Ann", discard=cards("4d")[0])),
        ('{"do":"bet","box":2,"amount":200}', c.Bet(box=2, player="Ann", amount=200)),
        ('{"do":"stay","box":2,"discard":"4d"}', c.Stay(box=2, player="Ann", discard=cards("4d")[0])),
        ('{"do":"stay","box":2}', c.Stay(box=2, player="Ann")),
        ('{"do":"fold","box":2}', c.Fold(box=2, player="Ann")),
        ('{"do":"declare","box":2}', c.Declare(box=2, player="Ann")),
        ('{"do":"claim","box":2}', c.Claim(box=2, player="Ann")),
        ('{"do":"choose","box":2,"question":3,"go_on":true}', c.Choose(box=2, question=3, go_on=True)),
    ],
)
def test_a_request_is_a_command_in_the_players_name_at_the_server_time(text: str, command: c.TableCommand) -> None:
    said = msgspec.structs.replace(command, by="Ann", role="player", at=70_000)
    assert as_command(READ.decode(text), player="Ann", at=70_000) == said


def test_a_round_by_requests_and_nobody_plays_the_box_of_another() -> None:
    driver = Driver(load_book("section10"))
    driver.open_bets(FULL)
    assert not isinstance(driver.do(as_command(PlaceAnte(box=1, amount=1000), player="Ann", at=1)), Refusal)
    taken = driver.do(as_command(PlaceAnte(box=1, amount=1000), player="Bob", at=2))
    assert isinstance(taken, Refusal)
    driver.close_bets()
    driver.deal()
    for foreign in (SeeHand(box=1), GiveUp(box=1), MakeBet(box=1)):
        assert isinstance(driver.do(as_command(foreign, player="Bob", at=3)), Refusal)
    assert not isinstance(driver.do(as_command(SeeHand(box=1), player="Ann", at=4)), Refusal)
    assert not isinstance(driver.do(as_command(MakeBet(box=1), player="Ann", at=5)), Refusal)
    assert round_of(driver).boxes[1].choice == "bet"
    early = driver.do(as_command(GiveUp(box=1), player="Ann", at=4))
    assert isinstance(early, Refusal)
    assert early.clause == "BASE-clock"
