"""The table, its devices and its notices."""

from typing import Literal

from aceking.rules.words import Topic
from aceking.table.commands.base import Act, Count, Name, OfSomeBox, Side, Whole


class ConfigureTable(Act, tag="table-configured", frozen=True, kw_only=True):
    """The house sets the table up."""

    layout: Name | None = None
    packet: Count | None = None  # how many cards the shoe gives at a time
    odds: Name | None = None  # how the layout words its odds


class OpenTable(Act, tag="table-opened", frozen=True, kw_only=True):
    """The table is opened to players."""

    elsewhere: Name | None = None  # the book that the other tables of the house play


class RegisterDevice(Act, tag="device-registered", frozen=True, kw_only=True):
    """A device is fitted."""

    device: Name
    version: Name | None = None
    model: Name | None = None
    maker: Name | None = None
    side: Side | None = None  # of the dealer
    for_dealing: bool = False
    functions: tuple[str, ...] = ()  # of a display, besides showing the meter


class RemoveDevice(Act, tag="device-removed", frozen=True, kw_only=True):
    """A device leaves the table."""

    device: Name


class JamDevice(Act, tag="device-jam", frozen=True, kw_only=True):
    """A device stops."""

    device: Name | None = None


class RecordApproval(Act, tag="approval-recorded", frozen=True, kw_only=True):
    """An outside approval is put on file."""

    of: Literal["model", "maker"]
    model: Name


class GiveNotice(Act, tag="notice-given", frozen=True, kw_only=True):
    """A notice is displayed: about what, where, and the odds that it states."""

    about: tuple[Topic, ...] = ()
    option: Name | None = None  # notice of a change to this option
    where: Name | None = None
    odds: Name | None = None


class ChangeOption(Act, tag="option-changed", frozen=True, kw_only=True):
    """The house chooses otherwise where the book leaves a choice."""

    option: Name
    value: Name | Whole | bool | dict[Name, Name | Whole]  # a word, an amount, or rows of a pay table


class SuspendTables(Act, tag="suspend-tables", frozen=True, kw_only=True):
    """The games stand still for a hand here or at a linked table."""

    cause: Name = "another table"


class ResumeTables(Act, tag="resume-tables", frozen=True):
    """The games go on."""


class Reseed(OfSomeBox, tag="reseed", frozen=True, kw_only=True):
    """The meter is set to its reset value after a full award."""
