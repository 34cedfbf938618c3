"""The reference of the API, made from its types: OpenAPI from the routes, AsyncAPI from the messages, one page."""

from functools import cache
from html import escape
from typing import Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, get

from aceking.version import __version__
from aceking.web.live import messages as m

_DIRECTIONS = (("fromClient", "send", m.FromClient), ("fromHouse", "receive", m.FromHouse))


@cache
def asyncapi() -> dict[str, Any]:
    """The AsyncAPI document of the live connection."""
    kinds = [kind for _, _, union in _DIRECTIONS for kind in union.__args__]
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    messages, of = {}, dict(zip(kinds, schemas, strict=True))
    for kind in kinds:
        messages[kind.__name__] = {
            "name": kind.__struct_config__.tag,
            "summary": (kind.__doc__ or "").strip().splitlines()[0],
            "contentType": "application/json",
            "payload": of[kind],
        }
    operations = {
        name: {
            "action": action,
            "channel": {"$ref": "#/channels/live"},
            "messages": [{"$ref": f"#/channels/live/messages/{kind.__name__}"} for kind in union.__args__],
        }
        for name, action, union in _DIRECTIONS
    }
    named = {name: {"$ref": f"#/components/messages/{name}"} for name in messages}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "AceKing, live", "version": __version__, "description": (m.__doc__ or "").strip()},
        "channels": {"live": {"address": "/api/live", "messages": named, "bindings": {"ws": {"query": _QUERY}}}},
        "operations": operations,
        "components": {"messages": messages, "schemas": components},
    }


#: What a live connection may say of itself.
_QUERY = {
    "type": "object",
    "properties": {
        "table": {
            "type": "string",
            "description": "The table that it comes for; of several processes the one that has it serves.",
        }
    },
}
#: What every refusal and every error looks like (web/app.py).
_ERROR = {
    "type": "object",
    "required": ["code", "reason"],
    "properties": {"code": {"type": "string"}, "reason": {"type": "string"}, "where": {}},
}


def openapi(app: Litestar) -> dict[str, Any]:
    """The OpenAPI document of the routes, with the errors as they are."""
    found: dict[str, Any] = app.openapi_schema.to_schema()
    refused = {"schema": {"$ref": "#/components/schemas/Error"}}
    told = {"description": "Refused, with a code and a reason", "content": {"application/json": refused}}
    for methods in found["paths"].values():
        for one in methods.values():
            kept = {status: response for status, response in one["responses"].items() if not status.startswith("4")}
            if "204" in kept:
                kept["204"].pop("content", None)  # there is none
            one["responses"] = kept | {"4XX": told}
    found.setdefault("components", {}).setdefault("schemas", {})["Error"] = _ERROR
    return found


@get("/api/schema/asyncapi.json", tags=["operating"], summary="The AsyncAPI document", sync_to_thread=False)
def asyncapi_document() -> dict[str, Any]:
    """Every message of the live connection with its schema."""
    return asyncapi()


@get("/api/schema/openapi", tags=["operating"], summary="The OpenAPI document", sync_to_thread=False)
def openapi_document(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Every route with its schema."""
    return openapi(request.app)


@get("/api/reference", include_in_schema=False, media_type=MediaType.HTML, sync_to_thread=False)
def reference(request: Request[Any, Any, Any]) -> Response[str]:
    """All routes, messages and wishes on one page."""
    return Response(_page(openapi(request.app), asyncapi()), media_type=MediaType.HTML)


def _page(routes: dict[str, Any], live: dict[str, Any]) -> str:
    parts = [
        f"<h1>AceKing {escape(__version__)}: the API</h1>",
        '<p>OpenAPI: <a href="/api/schema/openapi">/api/schema/openapi</a>.</p>',
        '<p>AsyncAPI: <a href="/api/schema/asyncapi.json">/api/schema/asyncapi.json</a>.</p>',
        "<h2>Routes</h2><table><thead><tr><th>route</th><th>what</th></tr></thead><tbody>",
    ]
    for path, methods in routes["paths"].items():
        for method, one in methods.items():
            told = escape(f"{one.get('summary', '')}. {one.get('description', '')}")
            parts.append(f"<tr><td><code>{method.upper()} {escape(path)}</code></td><td>{told}</td></tr>")
    parts.append("</tbody></table>")
    for name, title in (("fromClient", "Messages to the house"), ("fromHouse", "Messages from the house")):
        parts.append(f"<h2>{title}, over <code>/api/live</code></h2><dl>")
        for ref in live["operations"][name]["messages"]:
            one = live["components"]["messages"][ref["$ref"].rpartition("/")[2]]
            parts.append(f"<dt><code>{escape(one['name'])}</code></dt><dd>{escape(one['summary'])}</dd>")
        parts.append("</dl>")
    parts.append("<h2>Wishes: what can be asked for</h2><dl>")
    for name, schema in sorted(live["components"]["schemas"].items()):
        tag = schema.get("properties", {}).get("ask", {}).get("enum")
        if tag:
            keys = ", ".join(key for key in schema["properties"] if key != "ask")
            told = escape(schema.get("description", name).splitlines()[0])
            parts.append(f"<dt><code>{escape(tag[0])}</code></dt><dd>{told} Keys: <code>{escape(keys)}</code></dd>")
    body = "".join(parts) + "</dl>"
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>AceKing: the API</title>{body}</html>'


REFERENCE: tuple[Any, ...] = (asyncapi_document, openapi_document, reference)
