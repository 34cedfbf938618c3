"""The errors of a store; each message is one sentence for a person."""


class StoreError(Exception):
    """A store cannot do what it was asked."""


class CannotOpen(StoreError):
    """The address is wrong, another server has the house, or a newer program wrote its tables."""


class OlderTables(CannotOpen):
    """An earlier program wrote the tables, and they cannot be migrated when opened only to read."""


class StoreFailed(StoreError):
    """The disk or the database failed: nothing of the batch has happened."""


class Unsure(StoreFailed):
    """The commit itself failed, and the database cannot be reached: only the log knows. Send the same ids again."""


class Damaged(StoreError):
    """The log is not what was written."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(f"the log is damaged at entry {seq}: {what}")
        self.seq = seq
        self.what = what
