"""The API reference, generated from types: OpenAPI for the routes, AsyncAPI for the messages, and one page of both."""

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
    """Return the AsyncAPI document of the live connection."""
    kinds = [kind for _, _, union in _DIRECTIONS for kind in union.__args__]
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    messages, payloads = {}, dict(zip(kinds, schemas, strict=True))
    for kind in kinds:
        messages[kind.__name__] = {
            "name": kind.__struct_config__.tag,
            "summary": (kind.__doc__ or "").strip().splitlines()[0],
            "contentType": "application/json",
            "payload": payloads[kind],
        }
    operations = {
        name: {
            "action": action,
            "channel": {"$ref": "#/channels/live"},
            "messages": [{"$ref": f"#/channels/live/messages/{kind.__name__}"} for kind in union.__args__],
        }
        for name, action, union in _DIRECTIONS
    }
    references = {name: {"$ref": f"#/components/messages/{name}"} for name in messages}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "AceKing, live", "version": __version__, "description": (m.__doc__ or "").strip()},
        "channels": {"live": {"address": "/api/live", "messages": references, "bindings": {"ws": {"query": _QUERY}}}},
        "operations": operations,
        "components": {"messages": messages, "schemas": components},
    }


#: The query parameters of `/api/live`.
_QUERY = {
    "type": "object",
    "properties": {
        "table": {
            "type": "string",
            "description": "The table of the client; the worker process of that table serves the connection.",
        }
    },
}
#: The body of every refusal and error (web/app.py).
_ERROR = {
    "type": "object",
    "required": ["code", "reason"],
    "properties": {"code": {"type": "string"}, "reason": {"type": "string"}, "where": {}},
}


def openapi(app: Litestar) -> dict[str, Any]:
    """Return the OpenAPI document of the routes, with our error body instead of Litestar's."""
    document: dict[str, Any] = app.openapi_schema.to_schema()
    refused = {"schema": {"$ref": "#/components/schemas/Error"}}
    error = {"description": "Refused, with a code and a reason", "content": {"application/json": refused}}
    for methods in document["paths"].values():
        for operation in methods.values():
            responses = {status: one for status, one in operation["responses"].items() if not status.startswith("4")}
            if "204" in responses:
                responses["204"].pop("content", None)  # 204 has no body
            operation["responses"] = responses | {"4XX": error}
    document.setdefault("components", {}).setdefault("schemas", {})["Error"] = _ERROR
    return document


@get("/api/schema/asyncapi.json", tags=["operating"], summary="The AsyncAPI document", sync_to_thread=False)
def asyncapi_document() -> dict[str, Any]:
    """Returns every message of the live connection with its schema."""
    return asyncapi()


@get("/api/schema/openapi", tags=["operating"], summary="The OpenAPI document", sync_to_thread=False)
def openapi_document(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Returns every route with its schema."""
    return openapi(request.app)


@get("/api/reference", include_in_schema=False, media_type=MediaType.HTML, sync_to_thread=False)
def reference(request: Request[Any, Any, Any]) -> Response[str]:
    return Response(_page(openapi(request.app), asyncapi()), media_type=MediaType.HTML)


def _page(routes: dict[str, Any], live: dict[str, Any]) -> str:
    parts = [
        f"<h1>AceKing {escape(__version__)}: the API</h1>",
        '<p>OpenAPI: <a href="/api/schema/openapi">/api/schema/openapi</a>.</p>',
        '<p>AsyncAPI: <a href="/api/schema/asyncapi.json">/api/schema/asyncapi.json</a>.</p>',
        "<h2>Routes</h2><table><thead><tr><th>route</th><th>what</th></tr></thead><tbody>",
    ]
    for path, methods in routes["paths"].items():
        for method, operation in methods.items():
            text = escape(f"{operation.get('summary', '')}. {operation.get('description', '')}")
            parts.append(f"<tr><td><code>{method.upper()} {escape(path)}</code></td><td>{text}</td></tr>")
    parts.append("</tbody></table>")
    for name, title in (("fromClient", "Messages to the house"), ("fromHouse", "Messages from the house")):
        parts.append(f"<h2>{title}, over <code>/api/live</code></h2><dl>")
        for ref in live["operations"][name]["messages"]:
            message = live["components"]["messages"][ref["$ref"].rpartition("/")[2]]
            parts.append(f"<dt><code>{escape(message['name'])}</code></dt><dd>{escape(message['summary'])}</dd>")
        parts.append("</dl>")
    parts.append("<h2>Requests to the floor (<code>wish</code>)</h2><dl>")
    for name, schema in sorted(live["components"]["schemas"].items()):
        tag = schema.get("properties", {}).get("ask", {}).get("enum")
        if tag:
            keys = ", ".join(key for key in schema["properties"] if key != "ask")
            text = escape(schema.get("description", name).splitlines()[0])
            parts.append(f"<dt><code>{escape(tag[0])}</code></dt><dd>{text} Keys: <code>{escape(keys)}</code></dd>")
    body = "".join(parts) + "</dl>"
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>AceKing: the API</title>{body}</html>'


REFERENCE: tuple[Any, ...] = (asyncapi_document, openapi_document, reference)
