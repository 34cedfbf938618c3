"""Rules that a player can carry, what each costs, and the dearest mistake that it makes."""

from aceking import strategy

for name in ("section10", "colorado-permissible"):
    played = strategy(name)
    print(f"{name}: the best play costs {float(played.best.house_edge):.4%} of the ante")
    for rule in played.rules:
        print(f"  {rule.name}: {float(rule.costs):.5%} more")
        if rule.mistakes:
            worst = rule.mistakes[0]
            against = f" against {worst.up}" if worst.up else ""
            print(f"    errs most with {worst.hand}{against}: {worst.taken} instead of {worst.best}")
