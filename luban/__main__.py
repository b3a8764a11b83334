"""``python -m luban``, and the command ``luban``."""

__all__ = ["main"]


def main() -> None:
    """Run the command line, unless another project's packages are in the place of Luban's."""
    from bridge.cli.app import main as run

    run()


if __name__ == "__main__":
    main()
