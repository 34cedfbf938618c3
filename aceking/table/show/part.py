"""The base of types that pages and clients are shown."""

import msgspec


class ShownPart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of what somebody is shown, as JSON: keys at their defaults are left out."""
