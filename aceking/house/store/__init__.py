"""Where the log is stored. `aceking.house.store.open` opens a store by its address; protocol.py says what each does."""
