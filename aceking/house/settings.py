"""The settings of a server, read once: from a file, then the environment, then the command line."""

import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from aceking.rules.reading.did_you_mean import suggestion

#: `ACEKING_DB`, `ACEKING_LISTEN` …
PREFIX = "ACEKING_"
WORKERS_MOST = 64


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    db: str = "sqlite:///aceking.db"
    listen: str = "127.0.0.1:8000"
    demo: bool = False
    workers: int = 1  # processes that serve
    secure: bool = False  # cookies over TLS only: behind a proxy that speaks it
    origins: tuple[str, ...] = ()  # other origins whose pages may send requests
    requests_a_minute: int = 3_000
    refusals_a_minute: int = 300  # per address; above it, connections wait for turns
    heartbeat_seconds: int = 10  # between pings of a live connection; also the time limit of a request
    lab_seconds: int = 120  # computing time of a lab visitor; it refills at half the speed of the clock
    log_level: str = "info"
    log_format: str = "text"  # or json

    @property
    def host(self) -> str:
        return self.listen.rpartition(":")[0].strip("[]") or "127.0.0.1"

    @property
    def port(self) -> int:
        """The port to listen at; 0 is any free one."""
        return int(self.listen.rpartition(":")[2])


_KNOWN = Settings.__struct_fields__
_TYPES = {field.name: field.type for field in msgspec.structs.fields(Settings)}
_WORDS = {bool: "true or false", int: "a whole number", str: "a text"}


class SettingsError(ValueError):
    """A wrong setting; the message names it and where it is set."""


def read_settings(file: Path | None = None, env: Mapping[str, str] = os.environ, **given: Any) -> Settings:
    """Return the settings in force. `given` are those of the command line; None is not given. Raises SettingsError."""
    values = _from_file(file) if file is not None else {}
    values |= _from_env(env)
    values |= {key: value for key, value in given.items() if value is not None}
    for key, value in values.items():
        try:
            msgspec.convert({key: value}, Settings, strict=False)
        except msgspec.ValidationError:
            raise SettingsError(f"{key}: {value!r} is not {_WORDS.get(_TYPES[key], 'a list of texts')}") from None
    return _checked(msgspec.convert(values, Settings, strict=False))


def _from_file(file: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as wrong:
        raise SettingsError(f"{file}: {wrong}") from None
    for key in values:
        if key not in _KNOWN:
            raise SettingsError(f"{file}: there is no setting {key!r}{suggestion(key, _KNOWN)}")
    return values


def _from_env(env: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key in _KNOWN:
        value = env.get(PREFIX + key.upper())
        if value is not None:
            values[key] = tuple(value.split()) if key == "origins" else value
    # Other names with this prefix are for other parts of the program; one close to a setting is a typing error.
    names = [PREFIX + key.upper() for key in _KNOWN]
    for name in env:
        if name.startswith(PREFIX) and name not in names and get_close_matches(name, names, n=1, cutoff=0.9):
            raise SettingsError(f"{name}: there is no such setting{suggestion(name, names)}")
    return values


def _checked(settings: Settings) -> Settings:
    host, colon, port = settings.listen.rpartition(":")
    if not (colon and host and port.isdecimal() and settings.listen.isascii()) or int(port) > 65535:
        raise SettingsError(f"listen: {settings.listen!r} is not HOST:PORT, as 127.0.0.1:8000")
    if settings.log_format not in ("text", "json"):
        raise SettingsError(f"log_format: {settings.log_format!r} is neither text nor json")
    if settings.log_level not in ("debug", "info", "warning", "error"):
        raise SettingsError(f"log_level: {settings.log_level!r} is not one of debug, info, warning, error")
    if not 1 <= settings.workers <= WORKERS_MOST:
        raise SettingsError(f"workers: {settings.workers} is not a number from 1 to {WORKERS_MOST}")
    for key in ("requests_a_minute", "refusals_a_minute", "heartbeat_seconds", "lab_seconds"):
        if (number := getattr(settings, key)) < 1:
            raise SettingsError(f"{key} must be 1 or more, not {number}")
    return settings
