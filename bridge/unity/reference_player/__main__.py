"""``python -m bridge.unity.reference_player`` is ``luban-player``."""

from bridge.unity.reference_player.command import main

if __name__ == "__main__":
    main()
