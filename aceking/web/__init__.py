"""The house over HTTP and WebSocket: routes, messages, limits and pages. The rules are in other packages."""
