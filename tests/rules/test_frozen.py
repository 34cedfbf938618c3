"""The types of the rules behave as frozen dataclasses do."""

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from aceking.rules.frozen import step


@step
class Pair:
    """Two fields, one of which may be left out."""

    one: int
    two: str = "two"


def test_fields_are_given_by_name_or_left_out() -> None:
    pair = Pair(one=1)
    assert (pair.one, pair.two) == (1, "two")
    assert [field.name for field in fields(pair)] == ["one", "two"]
    assert repr(pair) == "Pair(one=1, two='two')"


@pytest.mark.parametrize(("given", "says"), [({}, "one is missing"), ({"one": 1, "three": 3}, "has no three")])
def test_a_field_too_few_or_too_many_is_refused(given: dict[str, int], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        Pair(**given)  # type: ignore[arg-type]


def test_equal_where_all_fields_are_equal_and_of_one_type() -> None:
    @step
    class Other:
        one: int
        two: str = "two"

    assert Pair(one=1) == Pair(one=1, two="two") != Pair(one=2)
    other: object = Other(one=1)
    assert Pair(one=1) != other
    assert len({Pair(one=1), Pair(one=1), Pair(one=2)}) == 2


def test_a_value_is_never_changed_but_replaced() -> None:
    pair = Pair(one=1)
    with pytest.raises(FrozenInstanceError):
        pair.one = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del pair.two
    assert replace(pair, two="too") == Pair(one=1, two="too")
