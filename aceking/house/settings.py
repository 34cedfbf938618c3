"""The settings of a server, read once: from a file, then the environment, then the command line."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

#: `ACEKING_DB`, `ACEKING_LISTEN` …
PREFIX = "ACEKING_"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a server runs."""

    db: str = "sqlite:///aceking.db"
    listen: str = "127.0.0.1:8000"
    demo: bool = False
    secure: bool = False  # cookies over TLS only: behind a proxy that speaks it
    origins: tuple[str, ...] = ()  # pages elsewhere that may ask
    requests_a_minute: int = 3_000
    heartbeat_seconds: int = 10  # a live connection is asked so often whether it is there, and has as long to say so
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


class SettingsError(ValueError):
    """A setting that cannot be; the message says which, and where it stands."""


def read_settings(file: Path | None = None, env: Mapping[str, str] = os.environ, **given: Any) -> Settings:
    """The settings in force; `given` are those of the command line, None where it says nothing."""
    told = _from_file(file) if file is not None else {}
    told |= _from_env(env)
    told |= {key: value for key, value in given.items() if value is not None}
    try:
        settings = msgspec.convert(told, Settings, strict=False)
    except msgspec.ValidationError as wrong:
        raise SettingsError(str(wrong)) from None
    return _checked(settings)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise SettingsError(f"{file}: {wrong}") from None


def _from_env(env: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key in Settings.__struct_fields__:
        value = env.get(PREFIX + key.upper())
        if value is not None:
            found[key] = tuple(value.split()) if key == "origins" else value
    return found


def _checked(settings: Settings) -> Settings:
    host, colon, port = settings.listen.rpartition(":")
    if not colon or not host or not port.isdigit() or int(port) > 65535:
        raise SettingsError(f"listen: {settings.listen!r} is not HOST:PORT, as 127.0.0.1:8000")
    if settings.log_format not in ("text", "json"):
        raise SettingsError(f"log_format: {settings.log_format!r} is neither text nor json")
    if settings.log_level not in ("debug", "info", "warning", "error"):
        raise SettingsError(f"log_level: {settings.log_level!r} is none of debug, info, warning, error")
    if settings.requests_a_minute < 1:
        raise SettingsError("requests_a_minute: at least one")
    if settings.heartbeat_seconds < 1:
        raise SettingsError("heartbeat_seconds: at least one")
    if settings.lab_seconds < 1:
        raise SettingsError("lab_seconds: at least one")
    return settings
