"""The position in the deal of each card that a clause can name."""

from collections.abc import Mapping

#: (True for a dealer or community card, its position in the deal counted from 1)
DealPosition = tuple[bool, int]

DEAL_POSITIONS: Mapping[str, frozenset[DealPosition]] = {
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
    "for-later-cards": frozenset((before_tray, position) for before_tray in (False, True) for position in (3, 4, 5)),
}
