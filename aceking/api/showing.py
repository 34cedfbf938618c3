"""A table as one line of text, and as HTML for a notebook."""

from collections.abc import Sequence
from html import escape

from aceking.api.cards import Card
from aceking.api.settled import with_sign
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.table.show.offers import Offer, player_offers
from aceking.table.show.view import BoxView, OwnBox, View, Viewer, common, own
from aceking.table.state import Box, TableState


def _side_wagers(box: Box) -> list[str]:
    return [*(["side"] if box.side else []), *box.named]


def table_text(book: Book, table: TableState) -> str:
    """Return one line, e.g. `rws, round 1: box 1 Jd 4c Jh Qc 3c, pair of jacks, against Kh; bet 20 or fold`."""
    current = table.round
    if current is None:
        return f"{book.id}, {book.title}, no round yet"
    seats = [box for _, box in sorted(current.boxes.items()) if box.taken]
    head = f"{book.id}, round {current.number}"
    if current.phase == "betting":
        side = {box.number: "".join(f" and {one}" for one in _side_wagers(box)) for box in seats}
        stakes = [f"box {box.number} {shown(box.ante, decimals=book.decimals)}{side[box.number]}" for box in seats]
        return f"{head} is open for bets: {', '.join(stakes) or 'no ante yet'}"
    if current.phase == "void":
        return f"{head} is void"
    seen = common(book, table)
    if current.phase == "done":
        nets = {one.box: one.net or "0" for one in seen.boxes}
        results = [
            f"box {box.number} {_words(book, table, box) or box.choice} {with_sign(nets[box.number])}" for box in seats
        ]
        bank = f"; dealer {seen.dealer_words}" if seen.dealer_words else ""
        return f"{head} is over: {', '.join(results)}{bank}"
    hands = ", ".join(f"box {box.number} {_held(book, table, box)}" for box in seats)
    against = f", against {seen.up}" if seen.up is not None else ""
    players = dict.fromkeys(box.player for box in seats)
    offers = [one for player in players for one in player_offers(book, table, player) if one.do != "claim"]
    choices = _or([_offer(one) for one in offers])
    return f"{head}: {hands}{against}{'; ' + choices if choices else ''}"


def table_html(book: Book, seen: View) -> str:
    """Return the table as one player sees it: a row for the dealer or the community, and one for each box."""
    common_view, mine = seen.common, {one.box: one for one in seen.own.boxes}
    rows: list[tuple[str, ...]] = []
    if bank := _faces(common_view.dealer or common_view.community):
        plays = {True: ", qualifies", False: ", does not qualify", None: ""}[common_view.dealer_qualifies]
        name = "dealer" if book.dealer is not None else "community"
        rows.append((name, bank, escape((common_view.dealer_words or "") + plays), "", "", ""))
    rows += [_row(box, mine.get(box.box)) for box in common_view.boxes]
    head = "".join(f"<th>{name}</th>" for name in ("", "cards", "hand", "wagers", "choice", "net"))
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    title = f"{book.title}, {book.id}" + ("" if common_view.round is None else f", round {common_view.round}")
    return f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _mine(book: Book, table: TableState, box: Box) -> OwnBox | None:
    """Return a box as its own player sees it; None before they have looked."""
    seen = own(book, table, Viewer("player", box.player)).boxes
    return next((one for one in seen if one.box == box.number), None)


def _words(book: Book, table: TableState, box: Box) -> str | None:
    mine = _mine(book, table, box)
    return None if mine is None else mine.words


def _held(book: Book, table: TableState, box: Box) -> str:
    mine = _mine(book, table, box)
    if mine is None:
        return "face down"
    return " ".join(one for one in mine.cards if one is not None) + (f", {mine.words}" if mine.words else "")


def _offer(offer: Offer) -> str:
    return f"{offer.do} {offer.amount}" if offer.amount is not None else offer.do


def _or(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _faces(faces: Sequence[str | None]) -> str:
    return " ".join("▒▒" if one is None else Card(one)._repr_html_() for one in faces)


def _row(box: BoxView, mine: OwnBox | None) -> tuple[str, ...]:
    faces = mine.cards if mine is not None and mine.cards else box.cards
    words = (mine.words if mine is not None else None) or box.words or ""
    lines = [f"{line.wager} {line.stake} {line.outcome} {line.pays} ({line.clause})" for line in box.lines]
    stakes = [f"{what} {chips}" for what, chips in (("ante", box.ante), ("bet", box.bet)) if chips != "0"]
    stakes += [f"{one.wager} {one.stake}" for one in box.sides]
    net = "" if box.net is None else f"<b>{with_sign(box.net)}</b>"
    wagers = "<br>".join(map(escape, lines or stakes))
    return f"box {box.box}", _faces(faces), escape(words), wagers, escape(box.choice or ""), net
