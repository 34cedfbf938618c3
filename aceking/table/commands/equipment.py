"""The table, its devices and its notices."""

from typing import Literal

from aceking.rules.words import Topic
from aceking.table.commands.base import Act, Count, OfSomeBox, ShortText, TableSide, Whole


class ConfigureTable(Act, tag="table-configured", frozen=True, kw_only=True):
    """The house sets the table up."""

    layout: ShortText | None = None
    packet: Count | None = None  # cards that the shoe gives at a time
    odds: ShortText | None = None  # how the layout words the odds


class OpenTable(Act, tag="table-opened", frozen=True, kw_only=True):
    """The table is opened to players."""

    elsewhere: ShortText | None = None  # the book of the other tables of the house


class RegisterDevice(Act, tag="device-registered", frozen=True, kw_only=True):
    """A device is fitted."""

    device: ShortText
    version: ShortText | None = None
    model: ShortText | None = None
    maker: ShortText | None = None
    side: TableSide | None = None  # of the dealer
    for_dealing: bool = False
    functions: tuple[str, ...] = ()  # of a display, besides showing the meter


class RemoveDevice(Act, tag="device-removed", frozen=True, kw_only=True):
    """A device leaves the table."""

    device: ShortText


class JamDevice(Act, tag="device-jam", frozen=True, kw_only=True):
    """A device stops."""

    device: ShortText | None = None


class RecordApproval(Act, tag="approval-recorded", frozen=True, kw_only=True):
    """An outside approval is put on file."""

    of: Literal["model", "maker"]
    model: ShortText


class GiveNotice(Act, tag="notice-given", frozen=True, kw_only=True):
    """A notice is displayed: its subjects, its place, and the odds that it states."""

    about: tuple[Topic, ...] = ()
    option: ShortText | None = None  # notice of a change to this option
    where: ShortText | None = None
    odds: ShortText | None = None


class ChangeOption(Act, tag="option-changed", frozen=True, kw_only=True):
    """The house changes one of its choices under the book."""

    option: ShortText
    value: ShortText | Whole | bool | dict[ShortText, ShortText | Whole]  # a word, an amount, or rows of a pay table


class SuspendTables(Act, tag="suspend-tables", frozen=True, kw_only=True):
    """The games are suspended for a hand at this or a linked table."""

    cause: ShortText = "another table"


class ResumeTables(Act, tag="resume-tables", frozen=True):
    """The games go on."""


class Reseed(OfSomeBox, tag="reseed", frozen=True, kw_only=True):
    """The meter is set to its reset value after a full award."""
