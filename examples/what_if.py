"""What a house gives away when one line of its pay table changes, and which line to change."""

from aceking import edge, load_book

book = load_book("section10")
now = edge(book)
print(f"{book.title}: {float(now.house_edge):.4%} of the ante, exactly {now.house_edge}")
for row in ("full_house", "flush", "straight", "three_of_a_kind"):
    pays = next(odds for hand, odds in book.bet.pays.items() if hand.name.lower() == row)
    more = edge(book, pays={row: pays + 1})
    print(
        f"  {row} at {pays + 1} to 1: {float(more.house_edge):.4%}, {float(now.house_edge - more.house_edge):.4%} less"
    )
