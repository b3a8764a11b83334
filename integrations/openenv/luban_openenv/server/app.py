"""The application that ``openenv.yaml`` names. ``python -m luban_openenv.server.app`` serves it."""

import argparse

import uvicorn
from openenv.core.env_server.http_server import create_app

from luban_openenv.environment import LubanEnvironment, read_variable
from luban_openenv.models import LubanAction, LubanObservation, LubanState

__all__ = ["app", "main"]

app = create_app(
    LubanEnvironment,
    LubanAction,
    LubanObservation,
    env_name="luban",
    max_concurrent_envs=read_variable("sessions", 64),
    state_cls=LubanState,
)


def main() -> None:
    """Serve the application."""
    parser = argparse.ArgumentParser(description="Serve Luban as an OpenEnv environment.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    try:  # Settings that don't exist are refused before a client comes.
        environment = LubanEnvironment()
        environment.reset(seed=0)
    except ValueError as error:
        parser.error(str(error))
    environment.close()
    uvicorn.run(app, host=arguments.host, port=arguments.port)


if __name__ == "__main__":
    main()
