"""Lies that the table's own record refutes, told apart here by counting and looking, not with the engine's checks."""

from typing import Any

from aceking.rules.book import Book
from aceking.rules.words import Circumstance
from aceking.table import commands as c
from aceking.table.state import Box, Round, TableState


def check_lie(book: Book, before: TableState, command: c.TableCommand, after: TableState) -> None:
    """No chip, card or right moves by a lie that the record refutes."""
    if isinstance(command, c.Report) and is_lie(book, before, command):
        assert standing(after) == standing(before), f"a lie moved something: {command}"


def standing(table: TableState) -> dict[str, Any]:
    """Chips, cards and rights: all that a lie must leave alone. Questions and the record of mishaps are not of it."""
    current = table.round
    round_part: dict[str, Any] = {}
    if current is not None:
        kept = (
            *("number", "phase", "boxes", "sequence", "dealer", "community", "burn", "boxed", "up", "lines", "moved"),
            *("from_meter", "rack", "meter", "awards", "settled", "counted"),
        )
        round_part = {name: getattr(current, name) for name in kept}
    table_part = {name: getattr(table, name) for name in ("accounts", "decks", "deck", "open", "rounds", "options")}
    return {**table_part, "round": round_part}


def is_lie(book: Book, table: TableState, report: c.Report) -> bool:
    """Whether the record plainly says otherwise; False where it cannot tell."""
    current = table.live_round
    if current is None:
        return False
    return _false_mishap(book, current, report) or any(_false_fact(current, fact) for fact in report.facts)


def _false_mishap(book: Book, current: Round, report: c.Report) -> bool:
    boxes = [current.boxes[number] for number in report.boxes if number in current.boxes]
    dealt = current.phase in ("deciding", "revealed")
    match report.mishap:
        case "player-miscount":
            playing = [box for box in boxes if box.ante or box.void]
            return dealt and bool(report.boxes) and all(len(box.cards) == book.hands.cards for box in playing)
        case "dealer-miscount":
            return dealt and book.dealer is not None and len(current.dealer) == book.hands.cards
        case "community-miscount":
            return dealt and len(current.community) == book.hands.community
        case "skipped-box":
            return dealt and bool(boxes) and all(len(box.cards) == book.hands.cards for box in boxes)
        case "empty-box-dealt":
            return not any(box.cards and not box.ante and not box.void for box in current.boxes.values())
        case "missed-burn":
            return bool(current.burn)
        case "second-look" | "early-pick-up":
            return bool(boxes) and not any(box.seen for box in boxes)
        case "discard-picked-up":
            return not any(box.give is not None for box in boxes)
        case _:
            return _false_chips(boxes, report) or _false_cards(current, report)


def _false_chips(boxes: list[Box], report: c.Report) -> bool:
    match report.mishap:
        case "unlit-chip":
            return bool(boxes) and all(box.lit or not box.side for box in boxes)
        case "side-bet-without-ante":
            return bool(boxes) and all(box.ante or not box.side for box in boxes)
        case _:
            return False


def _false_cards(current: Round, report: c.Report) -> bool:
    """A card that lies in the rack, or that all may see, was not exposed by mistake."""
    if report.mishap not in ("cards-exposed", "hole-card-exposed") or not report.cards:
        return False
    racked = {card for _, cards in current.rack for card in cards}
    return any(card in racked or card == current.up for card in report.cards)


def _false_fact(current: Round, fact: Circumstance) -> bool:
    looked = any(box.seen for box in current.boxes.values())
    return (
        (fact == "nobody-looked" and looked)
        or (fact == "somebody-looked" and not looked)
        or (fact == "bets-open" and current.phase != "betting")
        or (fact == "bets-closed" and current.phase == "betting")
        or (fact == "before-first-card" and bool(current.sequence))
        or (fact == "after-up-card" and current.up is None)
        or (fact == "before-reveal" and current.phase == "revealed")
    )
