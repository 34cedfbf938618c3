"""The house over HTTP and WebSocket: routes and messages, no rules."""
