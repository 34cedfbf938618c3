"""Tables put on the floor and taken off it, who sits, who is there, and the words that players add to a seed."""

from pathlib import PurePosixPath

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.library import book_named, from_text
from aceking.house.floor.play import acts as playing
from aceking.house.floor.refusals import house
from aceking.house.floor.roles import AT_TABLE
from aceking.house.floor.states import FloorTable
from aceking.rules.book import Book
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import with_options
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import said
from aceking.table.dealer.driver import new_table


def set_table(draft: Draft, sender: w.Sender, wish: w.SetTable) -> Refusal | None:
    """A table of a book that the house has, with limits, times and options posted before anybody sits."""
    known = draft.floor.tables.get(wish.table)
    if known is not None:
        return house("table", said("there is, or was, a table {table}: an id is used once", table=repr(wish.table)))
    book = _book(draft, wish.book)
    if isinstance(book, Refusal):
        return book
    if draft.floor.house.currencies.get(book.currency) != book.decimals:
        return house(
            "book",
            said("{id} is played in {currency}, which this house does not take", id=book.id, currency=book.currency),
        )
    if wish.ante_min > wish.ante_max:
        return house("input", "the least ante is above the most")
    try:
        chosen = with_options(book, wish.options)
    except ValueError as wrong:
        return house("input", str(wrong))
    if isinstance(chosen, Refusal):
        return chosen
    if (refused := _meter(draft, wish, chosen)) is not None:
        return refused
    posted = hp.TableSet(
        id=wish.table,
        name=wish.name,
        book=book.id,
        digest=book.digest,
        currency=book.currency,
        mode=wish.mode,
        options=new_table(chosen).options,
        ante_min=wish.ante_min,
        ante_max=wish.ante_max,
        decide_seconds=wish.decide_seconds,
        bet_seconds=wish.bet_seconds,
        pause_seconds=wish.pause_seconds,
        grace_seconds=wish.grace_seconds,
        awards=wish.awards,
        reset=wish.reset,
        meter=wish.meter,
        must_hit=wish.must_hit,
        attended=wish.attended,
        by=sender.name,
    )
    draft.add(f"table/{wish.table}", posted)
    draft.add("house", hp.TableListed(table=wish.table))
    return None


def _book(draft: Draft, name: str) -> Book | Refusal:
    try:
        return book_named(draft.floor.house, name)
    except BookError as wrong:
        return house("book", str(wrong))


def _meter(draft: Draft, wish: w.SetTable, book: Book) -> Refusal | None:
    """A table is put on a meter that knows it; a progressive without one is read out by the dealer."""
    if len(set(wish.must_hit)) < len(wish.must_hit):
        return house("meter", "must_hit: a meter is named twice")
    for name in (*(() if wish.meter is None else (wish.meter,)), *wish.must_hit):
        state, known = draft.floor.meters.get(name), {"meter": repr(name), "table": repr(wish.table)}
        if state is None or wish.table not in state.tables:
            return house("meter", said("meter {meter} does not name table {table}: configure it first", **known))
        if state.tables[wish.table].book != book.id:
            return house("meter", said("meter {meter} has table {table} down for another book", **known))
        if book.progressive is None:
            return house("meter", said("{id} has no progressive", id=book.id))
        if name in wish.must_hit and state.ceiling is None:
            words = "must_hit: hands win meter {meter}; a table has it as its meter"
            return house("meter", said(words, meter=repr(name)))
        if name == wish.meter and wish.mode == "electronic" and state.phase != "open":
            words = "meter {meter} is not open; a table that plays by itself needs it from its first round on"
            return house("meter", said(words, meter=repr(name)))
        if name == wish.meter and state.ceiling is not None:
            return house("meter", said("meter: no hand wins {meter}; a table has it under must_hit", meter=repr(name)))
    return None


def assign(draft: Draft, sender: w.Sender, wish: w.Assign) -> Refusal | None:
    """Who has a part at a table; only people who have that part in the house."""
    for name in wish.persons:
        role = draft.floor.people.role(name)
        if role is None or wish.role not in AT_TABLE[role] or role == "player":
            return house("people", said("{name} cannot act as {role}", name=name, role=wish.role))
    draft.add(f"table/{wish.table}", hp.Assigned(role=wish.role, persons=wish.persons, by=sender.name))
    return None


def close(draft: Draft, sender: w.Sender, wish: w.CloseTable) -> Refusal | None:
    """No new round begins; the table is taken off when nothing of players is at it any more."""
    one, stream = draft.table(wish.table), f"table/{wish.table}"
    if wish.back:
        if not one.closing:
            return house("table", "the table is not being closed")
        draft.add(stream, hp.Closing(by=sender.name, back=True))
        return None
    if not one.closing:
        draft.add(stream, hp.Closing(by=sender.name))
    if not _in_play(one):
        _taken_off(draft, sender, wish.table)
    return None


def _in_play(one: FloorTable) -> bool:
    """Whether a round is under way; one that waits for its first stake is not."""
    current = one.table.live_round
    if current is None or current.phase != "betting":
        return current is not None
    return any(box.ante or box.beside or box.bet for box in current.boxes.values())


def _taken_off(draft: Draft, sender: w.Sender, table: str) -> None:
    """Chips that lie before players go to their purses, and the tray to the cage."""
    stream, currency = f"table/{table}", draft.table(table).posted.currency
    for deck in draft.table(table).seals:
        playing.show_seed(draft, table, deck)
    for box, player in sorted(draft.table(table).seats.items()):
        draft.add(stream, hp.Rose(box=box, player=player))
    for player in sorted(draft.table(table).bought):
        if (chips := draft.table(table).chips(player)) > 0:
            draft.add(stream, hp.CashedOut(player=player, amount=chips))
            draft.add("cage", hp.ToTable(table=table, currency=currency, amount=-chips, player=player))
    one = draft.table(table)
    tray = one.tray + one.table.accounts.get("tray", 0)
    draft.add("cage", hp.ToTable(table=table, currency=currency, amount=-tray))
    draft.add(stream, hp.TableGone(by=sender.name, tray=tray))


def file_book(draft: Draft, wish: w.FileBook) -> Refusal | None:
    """A book that is not shipped, whole, is put on file: the log alone must be enough to replay."""
    for name in wish.files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or path.suffix != ".toml" or len(path.parts) > 2:
            return house("input", said("{name} is no name of a book's file", name=repr(name)))
    try:
        filed = from_text(wish.files)
    except BookError as wrong:
        return house("book", str(wrong))
    if filed.digest in draft.floor.house.books:
        return house("book", said("this text of {id} is on file", id=filed.id))
    draft.add("house", filed)
    return None


def sit(draft: Draft, sender: w.Sender, wish: w.Sit) -> Refusal | None:
    """A player takes a free box, as many as the book lets one player have."""
    one, book = draft.table(wish.table), draft.book(wish.table)
    player = _who(draft, sender, wish)
    if isinstance(player, Refusal):
        return player
    if wish.box > book.table.seats_max:
        return refusal(said("the table has {count} places", count=book.table.seats_max), book.cite("table.seats_max"))
    if one.closing:
        return house("table", "the table is being closed")
    if wish.box in one.seats:
        return house("seat", said("box {box} is taken by {player}", box=wish.box, player=one.seats[wish.box]))
    if player in {name for names in one.table.people.values() for name in names}:
        return house("people", said("{who} is assigned to this table, and does not play at it", who=player))
    draft.add(f"table/{wish.table}", hp.Seated(box=wish.box, player=player))
    return None


def _who(draft: Draft, sender: w.Sender, wish: w.Sit | w.Rise) -> str | Refusal:
    """Who takes or leaves a box: a player himself; at a live table the one whom a dealer names."""
    if sender.role != "dealer":
        return sender.name if wish.player in (None, sender.name) else house("people", "everybody sits for himself")
    if draft.table(wish.table).posted.mode != "live":
        return house("seat", "at an electronic table everybody sits for himself")
    if wish.player is None or draft.floor.people.role(wish.player) != "player":
        return house("people", "name the player who sits")
    return wish.player


def rise(draft: Draft, sender: w.Sender, wish: w.Rise) -> Refusal | None:
    """A player gives a box up when nothing of his is in play on it."""
    one = draft.table(wish.table)
    player = _who(draft, sender, wish)
    if isinstance(player, Refusal):
        return player
    if one.seats.get(wish.box) != player:
        whose = "yours" if player == sender.name else f"{player}'s"
        return house("seat", said("box {box} is not {whose}", box=wish.box, whose=whose))
    current = one.table.live_round
    box = current.boxes.get(wish.box) if current is not None else None
    if box is not None and (box.ante or box.beside):
        return house("seat", "your stakes are in play: take them back, or play the round to its end")
    draft.add(f"table/{wish.table}", hp.Rose(box=wish.box, player=player))
    return None


def say_ready(draft: Draft, sender: w.Sender, wish: w.SayReady) -> Refusal | None:
    """Betting may close when everybody who sits is ready."""
    one = draft.table(wish.table)
    current = one.table.live_round
    if sender.name not in one.players:
        return house("seat", "take a box first")
    if current is None or current.phase != "betting":
        return house("stale", "betting is not open")
    if not any(box.player == sender.name for box in current.dealt_in):
        return house("chips", "stake an ante first")
    if sender.name not in one.ready:
        draft.add(f"table/{wish.table}", hp.Ready(player=sender.name))
    return None


def add_word(draft: Draft, sender: w.Sender, wish: w.AddWord) -> Refusal | None:
    """A word for the seed, one a player and round, before a card has left the deck."""
    one = draft.table(wish.table)
    current = one.table.live_round
    if sender.name not in one.players:
        return house("seat", "take a box first")
    if current is None or current.phase != "betting" or current.sequence or current.deck not in one.seals:
        return house("word", "a word is added while the bets are open")
    if sender.name in one.seals[current.deck].words:
        return house("word", "your word is in already")
    draft.add(f"table/{wish.table}", hp.WordAdded(player=sender.name, word=wish.word))
    return None


def connection(draft: Draft, wish: w.Gone | w.Back) -> Refusal | None:
    """A player's connection dropped, or is back; nothing else happens by it."""
    one, stream = draft.table(wish.table), f"table/{wish.table}"
    if isinstance(wish, w.Gone):
        if wish.player in one.players and wish.player not in one.away:
            draft.add(stream, hp.WentAway(player=wish.player, at=draft.at))
    elif wish.player in one.away:
        draft.add(stream, hp.CameBack(player=wish.player, at=draft.at))
    return None
