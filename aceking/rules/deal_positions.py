"""The cards of a deal one by one, as clauses speak of them: the players', and those that lie before the tray."""

from collections.abc import Mapping

#: Whether a card lies before the tray, as the dealer's and the community's do, and the how manieth it is there.
Lap = tuple[bool, int]

LAPS: Mapping[str, frozenset[Lap]] = {
    "for-players-first-card": frozenset({(False, 1)}),
    "for-dealers-first-card": frozenset({(True, 1)}),
    "for-players-second-card": frozenset({(False, 2)}),
    "for-dealers-second-card": frozenset({(True, 2)}),
    "for-players-third-card": frozenset({(False, 3)}),
    "for-players-fourth-card": frozenset({(False, 4)}),
    "for-players-fifth-card": frozenset({(False, 5)}),
    "for-first-community-card": frozenset({(True, 1)}),
    "for-second-community-card": frozenset({(True, 2)}),
    "for-third-community-card": frozenset({(True, 3)}),
    "for-fourth-community-card": frozenset({(True, 4)}),
    "for-dealers-last-card": frozenset({(True, 5)}),
    "for-later-cards": frozenset((before_tray, lap) for before_tray in (False, True) for lap in (3, 4, 5)),
}
