"""The hand in front of a player: what every decision is worth, and what a mistake costs."""

from aceking import value

HANDS = (
    ("section10", "Ah Kd 9c 5s 2d", "9h"),
    ("exchange", "Qh Jh 9h 8h 2c", "7c"),
    ("colorado-required", "Kd 4s 4d", None),
)

for book, cards, up in HANDS:
    found = value(book, cards, up)
    print(f"{book}: {cards}" + (f" against {up}" if up else ""))
    for decision, worth in found.decisions.items():
        mark = "best" if decision == found.best else f"costs {float(found.decisions[found.best] - worth):.4f}"
        print(f"  {decision:20} {float(worth):+.4f} antes  {mark}")
