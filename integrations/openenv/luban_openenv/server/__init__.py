"""Server of the environment over HTTP and WebSocket."""
