"""Every role of a house has its place in the tables of what roles may do."""

from typing import get_args

from aceking.award.authority import AwardRole
from aceking.house.floor import requests as w
from aceking.house.floor.decide import MAY
from aceking.house.floor.roles import AT_TABLE, ON_METER, ROLES
from aceking.rules.words import Actor


def test_every_role_says_which_parts_it_has_at_a_table_and_every_part_is_had() -> None:
    assert set(AT_TABLE) == set(ROLES)
    assert {part for parts in AT_TABLE.values() for part in parts} == set(get_args(Actor))


def test_every_role_on_the_way_of_an_award_is_that_of_somebody_in_the_house() -> None:
    assert set(ON_METER.values()) == set(get_args(AwardRole))


def test_who_is_on_the_roster_of_a_meter_may_act_on_it_and_nobody_else() -> None:
    # The dealer's acts on an award are those of the table.
    assert set(ON_METER) - {"dealer"} == MAY[w.OnMeter]
