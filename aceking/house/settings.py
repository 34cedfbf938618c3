"""The settings of a server, read once: from a file, then the environment, then the command line."""

import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from aceking.rules.reading.did_you_mean import near

#: `ACEKING_DB`, `ACEKING_LISTEN` …
PREFIX = "ACEKING_"
WORKERS_MOST = 64


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a server runs."""

    db: str = "sqlite:///aceking.db"
    listen: str = "127.0.0.1:8000"
    demo: bool = False
    workers: int = 1  # processes that serve
    secure: bool = False  # cookies over TLS only: behind a proxy that speaks it
    origins: tuple[str, ...] = ()  # pages elsewhere that may ask
    requests_a_minute: int = 3_000
    refusals_a_minute: int = 300  # of one address; who is refused more often is heard late
    heartbeat_seconds: int = 10  # a live connection is asked so often whether it is there, and a request has as long
    lab_seconds: int = (
        120  # of counting that a visitor of the lab has at once; half of the time that goes by comes back
    )
    log_level: str = "info"
    log_format: str = "text"  # or json

    @property
    def host(self) -> str:
        """The address to listen at."""
        return self.listen.rpartition(":")[0].strip("[]") or "127.0.0.1"

    @property
    def port(self) -> int:
        """The port to listen at; 0: any that is free."""
        return int(self.listen.rpartition(":")[2])


_KNOWN = Settings.__struct_fields__


class SettingsError(ValueError):
    """A setting that cannot be; the message says which, and where it stands."""


def read_settings(file: Path | None = None, env: Mapping[str, str] = os.environ, **given: Any) -> Settings:
    """The settings in force; `given` are those of the command line, None where it says nothing."""
    told = _from_file(file) if file is not None else {}
    told |= _from_env(env)
    told |= {key: value for key, value in given.items() if value is not None}
    for key, value in told.items():
        try:
            msgspec.convert({key: value}, Settings, strict=False)
        except msgspec.ValidationError as wrong:
            raise SettingsError(f"{key}: {value!r} will not do: {str(wrong).partition(' - at ')[0].lower()}") from None
    return _checked(msgspec.convert(told, Settings, strict=False))


def _from_file(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as wrong:
        raise SettingsError(f"{file}: {wrong}") from None
    for key in found:
        if key not in _KNOWN:
            raise SettingsError(f"{file}: there is no setting {key!r}{near(key, _KNOWN)}")
    return found


def _from_env(env: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key in _KNOWN:
        value = env.get(PREFIX + key.upper())
        if value is not None:
            found[key] = tuple(value.split()) if key == "origins" else value
    # Others of this prefix are for other parts of the program; one that is nearly a setting is a slip.
    names = [PREFIX + key.upper() for key in _KNOWN]
    for name in env:
        if name.startswith(PREFIX) and name not in names and get_close_matches(name, names, n=1, cutoff=0.9):
            raise SettingsError(f"{name}: there is no such setting{near(name, names)}")
    return found


def _checked(settings: Settings) -> Settings:
    host, colon, port = settings.listen.rpartition(":")
    if not colon or not host or not port.isdigit() or int(port) > 65535:
        raise SettingsError(f"listen: {settings.listen!r} is not HOST:PORT, as 127.0.0.1:8000")
    if settings.log_format not in ("text", "json"):
        raise SettingsError(f"log_format: {settings.log_format!r} is neither text nor json")
    if settings.log_level not in ("debug", "info", "warning", "error"):
        raise SettingsError(f"log_level: {settings.log_level!r} is none of debug, info, warning, error")
    if not 1 <= settings.workers <= WORKERS_MOST:
        raise SettingsError(f"workers: from 1 to {WORKERS_MOST}")
    if settings.requests_a_minute < 1:
        raise SettingsError("requests_a_minute: at least one")
    if settings.refusals_a_minute < 1:
        raise SettingsError("refusals_a_minute: at least one")
    if settings.heartbeat_seconds < 1:
        raise SettingsError("heartbeat_seconds: at least one")
    if settings.lab_seconds < 1:
        raise SettingsError("lab_seconds: at least one")
    return settings
