"""Scripts of the first edition in today's spelling, written as TOML."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from aceking.scenarios.spelling import upgraded


def upgraded_text(scripts: Sequence[Mapping[str, Any]]) -> str:
    """These scripts as TOML: a file of one, or of several as [[script]]."""
    texts = [
        "".join(f"{_key(key)} = {_value(key, value)}\n" for key, value in _renewed(one).items()) for one in scripts
    ]
    return texts[0] if len(texts) == 1 else "\n".join(f"[[script]]\n{text}" for text in texts)


def _renewed(script: Mapping[str, Any]) -> dict[str, Any]:
    steps = [upgraded(step) if "drive" not in step else dict(step) for step in script.get("when", [])]
    return {**script, "when": steps} if "when" in script else dict(script)


def _value(key: str, value: Any) -> str:
    """A value; lists of tables one entry a line."""
    if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        lines = "".join(f"    {_inline(one)},\n" for one in value)
        return f"[\n{lines}]"
    return _inline(value)


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(one) for one in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def _key(key: str) -> str:
    return key if key.replace("-", "").replace("_", "").isalnum() else json.dumps(key, ensure_ascii=False)
