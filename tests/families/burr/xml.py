"""Small files of BurrTools, as text."""

__all__ = ["CUBE", "HEAD", "PART", "problem", "puzzle", "solution"]

CUBE = '<voxel x="1" y="1" z="1" type="0">#</voxel>'
PART = '<shape id="0" count="1"/>'
HEAD = '<puzzle version="2"><gridType type="0"/>'


def puzzle(shapes: str = CUBE, problems: str = "", colours: str = "", rest: str = "") -> bytes:
    return (
        f"{HEAD}<colors>{colours}</colors><shapes>{shapes}</shapes>"
        f"<problems>{problems}</problems>{rest}</puzzle>"
    ).encode()


def problem(parts: str = PART, stored: str = "", **attributes: str) -> str:
    named = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return (
        f'<problem{named}><shapes>{parts}</shapes><result id="0"/><bitmap/>'
        f"<solutions>{stored}</solutions></problem>"
    )


def solution(assembly: str) -> str:
    return f"<solution><assembly>{assembly}</assembly></solution>"
