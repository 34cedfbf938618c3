"""The stores of the log. `aceking.house.store.open` opens one by its address; protocol.py says what each does."""
