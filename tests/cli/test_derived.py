"""Options derived from dataclasses."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.cli.dataclass_options import build, derive_parameters, make_command
from bridge.cli.options import AS_JSON
from pysim.errors import InputError


class Taste(StrEnum):
    SWEET = "sweet"
    VERY_SOUR = "very-sour"


def read_size(text: str) -> tuple[int, ...]:
    if not text.replace("x", "").isdecimal():
        raise ValueError(f"a size is written as in 3x4, not {text!r}")
    return tuple(map(int, text.split("x")))


@dataclass(frozen=True)
class Cake:
    """One field of every type."""

    taste: Taste = field(metadata={"help": "How it tastes."})
    name: str = "cake"
    layers: int = field(default=2, metadata={"least": 1, "most": 9, "help": "How many."})
    sugar: float = field(default=0.5, metadata={"least": 0})
    candles: bool = field(default=False, metadata={"help": "Lit."})
    plate: bool = field(default=True, metadata={"option": "--plate/--bare"})
    second: Taste = Taste.SWEET
    recipe: Path | None = None
    guests: int | None = field(default=None, metadata={"least": 1})
    size: tuple[int, ...] = field(default=(), metadata={"read": read_size})
    toppings: tuple[str, ...] = ()
    tastes: tuple[Taste, ...] = ()
    oven: tuple[int, float] = (180, 1.5)
    baked_by: str | None = field(default=None, metadata={"metavar": "WHO"})
    secret: int = field(default=7, init=False)

    def __post_init__(self) -> None:
        if self.layers > 5 and not self.plate:
            raise ValueError("more than 5 layers need a plate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Shared options."""

    number: int
    as_json: bool = field(default=False, metadata=AS_JSON)


Bake = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def bake(capsys: pytest.CaptureFixture[str]) -> Bake:
    """Runs a command with the options of a cake and an order: status, what it got, what it said."""

    def run(*words: str) -> tuple[int, Any, str]:
        got: list[Any] = []

        def serve(cake: Cake, order: Order) -> None:
            got.append((cake, order))

        command = make_command("bake", Cake, Order, run=serve, about="Bake one.")
        with pytest.raises(SystemExit) as stop:
            command(list(words))
        told = capsys.readouterr()
        return int(stop.value.code or 0), got[0] if got else None, told.out + told.err

    return run


def test_what_is_left_out_has_the_default_of_the_dataclass(bake: Bake) -> None:
    status, got, _ = bake("--taste", "sweet", "--number", "3")
    assert (status, got) == (0, (Cake(Taste.SWEET), Order(number=3)))


def test_every_type_is_read(bake: Bake) -> None:
    words = (
        "--taste very-sour --name torte --layers 9 --sugar 1.25 --candles --second very-sour "
        "--recipe a/b.txt --guests 4 --size 3x4x5 --toppings nuts --toppings figs --tastes sweet "
        "--tastes very-sour --oven 200 2.5 --baked-by me --number 1 --json"
    )
    _, got, _ = bake(*words.split())
    expected = Cake(
        taste=Taste.VERY_SOUR,
        name="torte",
        layers=9,
        sugar=1.25,
        candles=True,
        second=Taste.VERY_SOUR,
        recipe=Path("a/b.txt"),
        guests=4,
        size=(3, 4, 5),
        toppings=("nuts", "figs"),
        tastes=(Taste.SWEET, Taste.VERY_SOUR),
        oven=(200, 2.5),
        baked_by="me",
    )
    assert got == (expected, Order(number=1, as_json=True))
    assert bake("--taste", "sweet", "--bare", "--number", "1")[1][0].plate is False


def test_help_says_what_there_is_to_choose_and_what_is_needed(bake: Bake) -> None:
    status, _, told = bake("--help")
    told = " ".join(told.split())
    assert status == 0 and "Bake one." in told
    assert "How it tastes: sweet or" in told and "very-sour." in told
    for part in ("--candles", "--plate", "--bare", "WHO", "<size>", "1<=x<=9", "required"):
        assert part in told
    for part in ("--secret", "--no-candles"):
        assert part not in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--taste salty", "--taste is one of sweet, very-sour, not 'salty'"),
        ("--taste sweet --tastes salty", "--tastes is one of sweet, very-sour, not 'salty'"),
        ("--taste sweet --size big", "--size: a size is written as in 3x4, not 'big'"),
        ("--taste sweet --layers 6 --bare", "more than 5 layers need a plate"),
    ],
)
def test_a_value_that_is_none_is_refused_in_one_line_with_its_option(
    words: str, message: str
) -> None:
    command = make_command("bake", Cake, run=lambda cake: None, about="Bake one.")
    with pytest.raises(InputError) as refused:
        command(words.split())
    assert str(refused.value) == message


@pytest.mark.parametrize("words", ["", "--taste sweet --layers 0", "--taste sweet --guests 0",
                                   "--taste sweet --oven 3", "--taste sweet --sugar much",
                                   "--taste sweet --secret 3"])  # fmt: skip
def test_what_is_of_another_type_exits_with_2(bake: Bake, words: str) -> None:
    status, got, _ = bake(*words.split(), "--number", "1")
    assert (status, got) == (2, None)


@given(st.text(max_size=100))
def test_any_text_is_a_choice_or_refused(text: str) -> None:
    try:
        assert build(Cake, {"taste": text}).taste == text
    except InputError as refused:
        assert str(refused).startswith("--taste is one of") and len(str(refused)) < 500


def test_what_can_not_be_an_option_is_said_to_the_author() -> None:
    @dataclass
    class Odd:
        weight: complex = 1j

    @dataclass
    class Mistyped:
        weight: int = field(default=1, metadata={"hlep": "How heavy."})

    with pytest.raises(TypeError, match=r"no option can be made of Odd\.weight"):
        derive_parameters(Odd)
    with pytest.raises(TypeError, match=r"Mistyped\.weight says hlep"):
        derive_parameters(Mistyped)
    with pytest.raises(TypeError, match="two options are called baked_by, candles"):
        make_command("bake", Cake, Cake, run=lambda cake, other: None, about="Bake two.")


def test_deriving_loads_no_engine(tmp_path: Path) -> None:
    import subprocess

    said = "print('pysim.field_types' in sys.modules, 'numpy' in sys.modules)"
    code = f"import sys, bridge.cli.dataclass_options; {said}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False False\n", "")
