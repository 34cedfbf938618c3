"""Where the log is kept. `aceking.house.store.open` opens one by its address; all of them do the same (protocol.py)."""
