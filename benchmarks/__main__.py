"""`make bench`: run every benchmark, one table after another."""

from benchmarks import colorado, edges, floor, hostile, load, meter, pages, ranking, rounds, settling, simulation, store

for part in (settling, rounds, ranking, edges, colorado, meter, simulation, store, floor, pages, load, hostile):
    print(f"\n== {part.__name__.removeprefix('benchmarks.')}")
    part.main()
