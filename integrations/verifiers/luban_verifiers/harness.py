"""Harness: the chat loop ``null`` of verifiers, with a window of pictures.

A conversation grows by several pictures a step. With ``--env.agent.harness.pictures 2`` a model is
shown those of the two newest messages that have some. Each turn then begins another branch of the
trace.
"""

import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.harnesses.null.harness import NullHarness, NullHarnessConfig
from verifiers.v1.harnesses.utils.launch import CHAT_PROGRAM_SOURCE, launch_chat_program

__all__ = ["LubanHarness", "LubanHarnessConfig"]

_START = 'if __name__ == "__main__":'
_WINDOW = '''
def show_newest(messages, count):
    """Return the messages with the pictures of the newest ones alone."""
    shown, kept = [], 0
    for message in reversed(messages):
        content = message.get("content")
        parts = content if isinstance(content, list) else []
        if any(part.get("type") == "image_url" for part in parts):
            kept += 1
            if kept > count:
                left = [part for part in parts if part.get("type") != "image_url"]
                message = {**message, "content": left}
        shown.insert(0, message)
    return shown


chat_with_all = chat


async def chat(client, model, messages, tools):
    """Ask with a window of pictures."""
    return await chat_with_all(client, model, show_newest(messages, PICTURES), tools)

'''


class LubanHarnessConfig(NullHarnessConfig):
    """Options of the harness."""

    pictures: int | None = Field(None, ge=1)
    """Newest messages whose pictures a model is shown; all by default."""


class LubanHarness(NullHarness, vf.Harness[LubanHarnessConfig]):
    """Chat loop with a window of pictures."""

    @property
    def _program(self) -> str:
        if self.config.pictures is None:
            return CHAT_PROGRAM_SOURCE
        functions, start, end = CHAT_PROGRAM_SOURCE.rpartition(_START)
        assert start, "the chat program of verifiers has no entry point"
        return f"{functions}\n{_WINDOW}\nPICTURES = {self.config.pictures}\n\n{start}{end}"

    async def setup(self, runtime: vf.Runtime) -> None:
        """Prepare the program."""
        await runtime.prepare_uv_script(self._program, self.config.resolved_env)

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
        tool_interception_url: str | None = None,
    ) -> vf.ProgramResult:
        """Run the program."""
        system, prompt = self.resolve_prompt(data)
        gate = [f"--tool-interception-url={tool_interception_url}"] if tool_interception_url else []
        return await launch_chat_program(
            self._program,
            self.config,
            ctx,
            trace,
            runtime,
            endpoint,
            secret,
            mcp_urls,
            system,
            prompt,
            extra_args=gate,
        )
