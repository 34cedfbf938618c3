"""What can go wrong with a store, each in one sentence for a person."""


class StoreError(Exception):
    """A store cannot do what it was asked."""


class CannotOpen(StoreError):
    """The address is wrong, another server has it, or its tables are of a newer program."""


class OlderTables(CannotOpen):
    """Its tables are of an earlier program, and who only reads may not bring them forward."""


class StoreFailed(StoreError):
    """The disk or the database failed: nothing of the batch has happened."""


class Unsure(StoreFailed):
    """It failed at the very commit and cannot be asked: the log alone knows. The same ids sent again get the truth."""


class Damaged(StoreError):
    """The log is not what was written."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(f"the log is damaged at entry {seq}: {what}")
        self.seq = seq
        self.what = what
