"""``python -m bridge.unity.standin`` is ``luban-player``."""

from bridge.unity.standin.command import main

if __name__ == "__main__":
    main()
