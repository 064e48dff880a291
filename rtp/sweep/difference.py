"""Where two pieces of JSON differ, in words."""

import json
from typing import Any


def difference(stored: Any, ours: Any, path: str = "") -> str:
    """The first place where two plans differ, in words; empty where they do not."""
    if isinstance(stored, dict) and isinstance(ours, dict):
        for key in [*stored, *(key for key in ours if key not in stored)]:
            inner = key if path in ("", "plan") else f"{path}.{key}"
            if key not in ours or key not in stored:
                return f"{inner} is only in {'the file' if key in stored else 'yours'}"
            if found := difference(stored[key], ours[key], inner):
                return found
        if list(stored) != list(ours):
            return f"the fields of {path} are in another order: {', '.join(stored)}"
        return ""
    if isinstance(stored, list) and isinstance(ours, list) and len(stored) == len(ours):
        pairs = enumerate(zip(stored, ours, strict=True))
        return next((found for i, (a, b) in pairs if (found := difference(a, b, f"{path}[{i}]"))), "")
    return "" if stored == ours else f"{path} is {_short(stored)} there and {_short(ours)} here"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"
