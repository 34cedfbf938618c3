"""The pages: one shell for all of them, and the files that it loads.

The files stand under a path that has the digest of all of them: they may be kept for ever, and a new version is a new
path. The shell is asked for each time. Nothing is inline, for the policy of the application forbids that.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.exceptions import NotFoundException

_KINDS = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
    "txt": "text/plain; charset=utf-8",
}
_PRESSED = ("js", "css", "svg")
_FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent, plain and pressed."""

    kind: str
    body: bytes
    pressed: bytes | None


@dataclass(frozen=True, slots=True)
class Files:
    """All files of the pages, and the digest that is in their path."""

    digest: str
    by_path: dict[str, File]


@cache
def static() -> Files:
    """The files, read once."""
    found, digest = dict[str, File](), hashlib.sha256()
    for path, one in sorted(_walk(files("aceking.web") / "static", "")):
        ending = path.rpartition(".")[2]
        if ending not in _KINDS:
            continue
        body = one.read_bytes()
        digest.update(path.encode() + b"\0" + hashlib.sha256(body).digest())
        pressed = gzip.compress(body, mtime=0) if ending in _PRESSED else None
        found[path] = File(_KINDS[ending], body, pressed)
    return Files(digest.hexdigest()[:16], found)


def _walk(folder: Traversable, path: str) -> list[tuple[str, Traversable]]:
    found = list[tuple[str, Traversable]]()
    for one in folder.iterdir():
        found += _walk(one, f"{path}{one.name}/") if one.is_dir() else [(f"{path}{one.name}", one)]
    return found


@cache
def _shell(title: str, *more: str) -> str:
    """The page before its script runs: what a reader without script is told, and where everything is."""
    base = f"/static/{static().digest}"
    sheets = "\n".join(f'<link rel="stylesheet" href="{base}/{one}.css">' for one in ("style", "table", "staff", *more))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="{base}/icon.svg" type="image/svg+xml">
<link rel="preload" href="{base}/fonts/instrument-sans-latin-wght-normal.woff2" as="font" type="font/woff2" crossorigin>
{sheets}
<script src="{base}/theme.js"></script>
<script type="module" src="{base}/main.js"></script>
</head>
<body>
<div id="app"><noscript><p class="plain">AceKing needs JavaScript: a table is live.</p></noscript></div>
</body>
</html>
"""


_ADDRESSES = [
    *("/", "/login", "/pit", "/table/{table:str}", "/dealer/{table:str}"),
    *("/meter/{meter:str}", "/meters/{meter:str}", "/win/{meter:str}/{award:path}"),
]


@get(_ADDRESSES, include_in_schema=False, sync_to_thread=False)
def page() -> Response[str]:
    """The shell; its script looks at the address."""
    return Response(_shell("AceKing"), media_type=MediaType.HTML, headers={"Cache-Control": "no-cache"})


@get(["/lab", "/lab/{book:str}"], include_in_schema=False, sync_to_thread=False)
def lab() -> Response[str]:
    """The shell of the lab, which has more to draw."""
    return Response(_shell("AceKing", "lab"), media_type=MediaType.HTML, headers={"Cache-Control": "no-cache"})


@get(
    ["/audit", "/audit/day/{day:str}", "/audit/{table:str}/{number:int}"], include_in_schema=False, sync_to_thread=False
)
def audit() -> Response[str]:
    """The shell of the audit."""
    return Response(_shell("AceKing", "audit"), media_type=MediaType.HTML, headers={"Cache-Control": "no-cache"})


@get("/static/{digest:str}/{path:path}", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def file(digest: str, path: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """A file of the pages. Under an old digest there is nothing: a page of another version must not be mixed."""
    known = static()
    one = known.by_path.get(path.lstrip("/")) if digest == known.digest else None
    if one is None:
        raise NotFoundException("there is no such file")
    headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
    if one.pressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(one.pressed, media_type=one.kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(one.body, media_type=one.kind, headers=headers)


PAGES: tuple[Any, ...] = (page, lab, audit, file)
