"""The pages: one HTML shell for all of them, and the static files that it loads.

The path of a file contains a digest of all files, so browsers may cache it for ever; a new version has a new path. The
shell is not cached. It has no inline script or style: the content security policy forbids them.
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
_COMPRESSED = ("js", "css", "svg")
_FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class File:
    """A static file; `gzipped` is None if compression does not help its format."""

    kind: str
    body: bytes
    gzipped: bytes | None


@dataclass(frozen=True, slots=True)
class Files:
    """All static files, and the digest in their path."""

    digest: str
    by_path: dict[str, File]


@cache
def static() -> Files:
    by_path, digest = dict[str, File](), hashlib.sha256()
    for path, entry in sorted(_walk(files("aceking.web") / "static", "")):
        ending = path.rpartition(".")[2]
        if ending not in _KINDS:
            continue
        body = entry.read_bytes()
        digest.update(path.encode() + b"\0" + hashlib.sha256(body).digest())
        gzipped = gzip.compress(body, mtime=0) if ending in _COMPRESSED else None
        by_path[path] = File(_KINDS[ending], body, gzipped)
    return Files(digest.hexdigest()[:16], by_path)


def _walk(folder: Traversable, path: str) -> list[tuple[str, Traversable]]:
    paths = list[tuple[str, Traversable]]()
    for entry in folder.iterdir():
        paths += _walk(entry, f"{path}{entry.name}/") if entry.is_dir() else [(f"{path}{entry.name}", entry)]
    return paths


@cache
def _shell(title: str, *more: str) -> str:
    """Return the HTML of every page; `more` names style sheets besides the common ones."""
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
<div id="app"><noscript><p class="plain">AceKing needs JavaScript to show live tables.</p></noscript></div>
</body>
</html>
"""


_ADDRESSES = [
    *("/", "/login", "/pit", "/table/{table:str}", "/dealer/{table:str}"),
    *("/meter/{meter:str}", "/meters/{meter:str}", "/win/{meter:str}/{award:path}"),
]


@get(_ADDRESSES, include_in_schema=False, sync_to_thread=False)
def page() -> Response[str]:
    """Return the shell; its script shows the page of the address."""
    return Response(_shell("AceKing"), media_type=MediaType.HTML, headers={"Cache-Control": "no-cache"})


@get(["/lab", "/lab/{book:str}"], include_in_schema=False, sync_to_thread=False)
def lab() -> Response[str]:
    return Response(_shell("AceKing", "lab"), media_type=MediaType.HTML, headers={"Cache-Control": "no-cache"})


@get(
    ["/audit", "/audit/day/{day:str}", "/audit/{table:str}/{number:int}"], include_in_schema=False, sync_to_thread=False
)
def audit() -> Response[str]:
    return Response(_shell("AceKing", "audit"), media_type=MediaType.HTML, headers={"Cache-Control": "no-cache"})


@get("/static/{digest:str}/{path:path}", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def file(digest: str, path: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return a static file; 404 under an old digest, so that a page never mixes two versions."""
    current = static()
    entry = current.by_path.get(path.lstrip("/")) if digest == current.digest else None
    if entry is None:
        raise NotFoundException("there is no such file")
    headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
    if entry.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(entry.gzipped, media_type=entry.kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(entry.body, media_type=entry.kind, headers=headers)


PAGES: tuple[Any, ...] = (page, lab, audit, file)
