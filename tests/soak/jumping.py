"""``luban`` by a clock that jumps: ``python -m tests.soak.jumping ARGUMENTS``."""

from tests.soak.clocks import jump

if __name__ == "__main__":
    jump()
    from bridge.cli import main

    main()
