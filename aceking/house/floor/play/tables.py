"""Put tables on the floor and take them off, seat players, note who is connected, and add words to a seed."""

from pathlib import PurePosixPath

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.library import book_named, from_text
from aceking.house.floor.play import acts
from aceking.house.floor.refusals import house_refusal
from aceking.house.floor.roles import AT_TABLE
from aceking.house.floor.states import FloorTable
from aceking.rules.book import Book
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import with_options
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import said
from aceking.table.dealer.driver import new_table


def set_table(draft: Draft, sender: w.Sender, request: w.SetTable) -> Refusal | None:
    """Put a table on the floor, of a book that the house has, with its limits, times and options."""
    known = draft.floor.tables.get(request.table)
    if known is not None:
        return house_refusal(
            "table", said("there is, or was, a table {table}: an id is used once", table=repr(request.table))
        )
    book = _book(draft, request.book)
    if isinstance(book, Refusal):
        return book
    if draft.floor.house.currencies.get(book.currency) != book.decimals:
        return house_refusal(
            "book",
            said("{id} is played in {currency}, which this house does not take", id=book.id, currency=book.currency),
        )
    if request.ante_min > request.ante_max:
        return house_refusal("input", "the minimum ante is above the maximum")
    try:
        chosen = with_options(book, request.options)
    except ValueError as wrong:
        return house_refusal("input", str(wrong))
    if isinstance(chosen, Refusal):
        return chosen
    if (refused := _meter(draft, request, chosen)) is not None:
        return refused
    posted = hp.TableSet(
        id=request.table,
        name=request.name,
        book=book.id,
        digest=book.digest,
        currency=book.currency,
        mode=request.mode,
        options=new_table(chosen).options,
        ante_min=request.ante_min,
        ante_max=request.ante_max,
        decide_seconds=request.decide_seconds,
        bet_seconds=request.bet_seconds,
        pause_seconds=request.pause_seconds,
        grace_seconds=request.grace_seconds,
        awards=request.awards,
        reset=request.reset,
        meter=request.meter,
        must_hit=request.must_hit,
        attended=request.attended,
        by=sender.name,
    )
    draft.add(f"table/{request.table}", posted)
    draft.add("house", hp.TableListed(table=request.table))
    return None


def _book(draft: Draft, name: str) -> Book | Refusal:
    try:
        return book_named(draft.floor.house, name)
    except BookError as wrong:
        return house_refusal("book", str(wrong))


def _meter(draft: Draft, request: w.SetTable, book: Book) -> Refusal | None:
    """Return the refusal if the table cannot be on its meters. The dealer reads out a progressive without a meter."""
    if len(set(request.must_hit)) < len(request.must_hit):
        return house_refusal("meter", "must_hit: a meter is named twice")
    for name in (*(() if request.meter is None else (request.meter,)), *request.must_hit):
        state, known = draft.floor.meters.get(name), {"meter": repr(name), "table": repr(request.table)}
        if state is None or request.table not in state.tables:
            return house_refusal(
                "meter", said("meter {meter} does not name table {table}: configure it first", **known)
            )
        if state.tables[request.table].book != book.id:
            return house_refusal("meter", said("meter {meter} lists table {table} with another book", **known))
        if book.progressive is None:
            return house_refusal("meter", said("{id} has no progressive", id=book.id))
        if name in request.must_hit and state.ceiling is None:
            words = "must_hit: meter {meter} is won by hands; name it as the table's meter"
            return house_refusal("meter", said(words, meter=repr(name)))
        if name == request.meter and request.mode == "electronic" and state.phase != "open":
            words = "meter {meter} is not open; a table that plays by itself needs it from its first round on"
            return house_refusal("meter", said(words, meter=repr(name)))
        if name == request.meter and state.ceiling is not None:
            return house_refusal(
                "meter", said("meter: {meter} is not won by hands; name it under must_hit", meter=repr(name))
            )
    return None


def assign(draft: Draft, sender: w.Sender, request: w.Assign) -> Refusal | None:
    """Assign persons to a role at a table; each must have that role in the house."""
    for name in request.persons:
        role = draft.floor.people.role(name)
        if role is None or request.role not in AT_TABLE[role] or role == "player":
            return house_refusal("people", said("{name} cannot act as {role}", name=name, role=request.role))
    draft.add(f"table/{request.table}", hp.Assigned(role=request.role, persons=request.persons, by=sender.name))
    return None


def close(draft: Draft, sender: w.Sender, request: w.CloseTable) -> Refusal | None:
    """Begin no new round, and take the table off when nothing is in play."""
    state, stream = draft.table(request.table), f"table/{request.table}"
    if request.back:
        if not state.closing:
            return house_refusal("table", "the table is not being closed")
        draft.add(stream, hp.Closing(by=sender.name, back=True))
        return None
    if not state.closing:
        draft.add(stream, hp.Closing(by=sender.name))
    if not _in_play(state):
        _take_off(draft, sender, request.table)
    return None


def _in_play(state: FloorTable) -> bool:
    """Return True if a round is in progress; a round without stakes is not."""
    current = state.table.live_round
    if current is None or current.phase != "betting":
        return current is not None
    return any(box.ante or box.beside or box.bet for box in current.boxes.values())


def _take_off(draft: Draft, sender: w.Sender, table: str) -> None:
    """Move the players' chips to their purses and the tray to the cage."""
    stream, currency = f"table/{table}", draft.table(table).posted.currency
    for deck in draft.table(table).seals:
        acts.show_seed(draft, table, deck)
    for box, player in sorted(draft.table(table).seats.items()):
        draft.add(stream, hp.Rose(box=box, player=player))
    for player in sorted(draft.table(table).bought):
        if (chips := draft.table(table).chips(player)) > 0:
            draft.add(stream, hp.CashedOut(player=player, amount=chips))
            draft.add("cage", hp.ToTable(table=table, currency=currency, amount=-chips, player=player))
    state = draft.table(table)
    tray = state.tray + state.table.accounts.get("tray", 0)
    draft.add("cage", hp.ToTable(table=table, currency=currency, amount=-tray))
    draft.add(stream, hp.TableGone(by=sender.name, tray=tray))


def file_book(draft: Draft, request: w.FileBook) -> Refusal | None:
    """Put a book on file as text, so that the log alone can be replayed."""
    for name in request.files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or path.suffix != ".toml" or len(path.parts) > 2:
            return house_refusal("input", said("{name} is not a valid file name for a book", name=repr(name)))
    try:
        filed = from_text(request.files)
    except BookError as wrong:
        return house_refusal("book", str(wrong))
    if filed.digest in draft.floor.house.books:
        return house_refusal("book", said("this text of {id} is on file", id=filed.id))
    draft.add("house", filed)
    return None


def sit(draft: Draft, sender: w.Sender, request: w.SitRequest) -> Refusal | None:
    """Seat a player at a free box."""
    state, book = draft.table(request.table), draft.book(request.table)
    player = _player_of(draft, sender, request)
    if isinstance(player, Refusal):
        return player
    if request.box > book.table.seats_max:
        return refusal(said("the table has {count} places", count=book.table.seats_max), book.cite("table.seats_max"))
    if state.closing:
        return house_refusal("table", "the table is being closed")
    if request.box in state.seats:
        return house_refusal(
            "seat", said("box {box} is taken by {player}", box=request.box, player=state.seats[request.box])
        )
    if player in {name for names in state.table.people.values() for name in names}:
        return house_refusal("people", said("{who} is assigned to this table, and does not play at it", who=player))
    draft.add(f"table/{request.table}", hp.Seated(box=request.box, player=player))
    return None


def _player_of(draft: Draft, sender: w.Sender, request: w.SitRequest | w.Rise) -> str | Refusal:
    """Return the player who takes or leaves a box: the sender, or at a live table the one whom a dealer names."""
    if sender.role != "dealer":
        own = request.player in (None, sender.name)
        return sender.name if own else house_refusal("people", "players take boxes only for themselves")
    if draft.table(request.table).posted.mode != "live":
        return house_refusal("seat", "at an electronic table players take boxes only for themselves")
    if request.player is None or draft.floor.people.role(request.player) != "player":
        return house_refusal("people", "name the player who sits")
    return request.player


def rise(draft: Draft, sender: w.Sender, request: w.Rise) -> Refusal | None:
    """Give up a box when nothing of the player's is in play on it."""
    state = draft.table(request.table)
    player = _player_of(draft, sender, request)
    if isinstance(player, Refusal):
        return player
    if state.seats.get(request.box) != player:
        whose = "yours" if player == sender.name else f"{player}'s"
        return house_refusal("seat", said("box {box} is not {whose}", box=request.box, whose=whose))
    current = state.table.live_round
    box = current.boxes.get(request.box) if current is not None else None
    if box is not None and (box.ante or box.beside):
        return house_refusal("seat", "your stakes are in play: take them back, or play the round to its end")
    draft.add(f"table/{request.table}", hp.Rose(box=request.box, player=player))
    return None


def say_ready(draft: Draft, sender: w.Sender, request: w.SayReady) -> Refusal | None:
    """Note that a player is ready; betting closes when every player is."""
    state = draft.table(request.table)
    current = state.table.live_round
    if sender.name not in state.players:
        return house_refusal("seat", "take a box first")
    if current is None or current.phase != "betting":
        return house_refusal("stale", "betting is not open")
    if not any(box.player == sender.name for box in current.dealt_in):
        return house_refusal("chips", "stake an ante first")
    if sender.name not in state.ready:
        draft.add(f"table/{request.table}", hp.Ready(player=sender.name))
    return None


def add_word(draft: Draft, sender: w.Sender, request: w.AddWord) -> Refusal | None:
    """Add a player's word to the seed, one for each player and round, before a card has left the deck."""
    state = draft.table(request.table)
    current = state.table.live_round
    if sender.name not in state.players:
        return house_refusal("seat", "take a box first")
    if current is None or current.phase != "betting" or current.sequence or current.deck not in state.seals:
        return house_refusal("word", "a word is added while the bets are open")
    if sender.name in state.seals[current.deck].words:
        return house_refusal("word", "your word is already added")
    draft.add(f"table/{request.table}", hp.WordAdded(player=sender.name, word=request.word))
    return None


def connection(draft: Draft, request: w.ConnectionLost | w.ConnectionBack) -> Refusal | None:
    """Note that a player's connection dropped or is back; nothing else follows."""
    state, stream = draft.table(request.table), f"table/{request.table}"
    if isinstance(request, w.ConnectionLost):
        if request.player in state.players and request.player not in state.away:
            draft.add(stream, hp.WentAway(player=request.player, at=draft.at))
    elif request.player in state.away:
        draft.add(stream, hp.CameBack(player=request.player, at=draft.at))
    return None
