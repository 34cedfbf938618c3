"""`python -m tests.gate --write`: the marks are made anew; `git diff` shows what has moved."""

import argparse

from aceking.rules.reading.load import book_ids, load_book
from tests.gate import marks_of_figures, marks_of_lines, marks_of_rounds, write

parser = argparse.ArgumentParser(description="Marks of events, settlement lines and figures.")
parser.add_argument("--write", action="store_true", required=True, help="make the marks anew")
parser.parse_args()
write("rounds", {what: mark for book in book_ids() for what, mark in marks_of_rounds(load_book(book))})
write("lines", dict(marks_of_lines()))
write("figures", {what: mark for book in book_ids() for what, mark in marks_of_figures(book)})
