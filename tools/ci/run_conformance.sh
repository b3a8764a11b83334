#!/bin/sh
# Hold a built player to the tests. Usage: tools/ci/run_conformance.sh moves|pictures PLAYER SEEN [PYTEST OPTIONS]
# moves     the conformance suite; SEEN gets the digests of every step
# pictures  its pictures against our own renderer's; SEEN gets contact sheets. No graphics device is a failure.
set -eu

[ $# -ge 3 ] || {
    sed -n '2,4s/^# //p' "$0" >&2
    exit 2
}
what=$1 player=$(realpath "$2") seen=$3
shift 3
mkdir -p "$seen"
seen=$(realpath "$seen")
CDPATH='' cd -P "$(dirname "$0")/../.."

test_player() {
    if command -v xvfb-run >/dev/null; then
        xvfb-run --auto-servernum --server-args='-screen 0 1280x1024x24 +extension GLX' \
            .venv/bin/python -m pytest "$@"
    else
        .venv/bin/python -m pytest "$@"
    fi
}

case "$what" in
    moves)
        LUBAN_DIGEST_LOG="$seen/digests-$(basename "$player" .x86_64).txt"
        LUBAN_UNITY_PLAYER=$player
        export LUBAN_DIGEST_LOG LUBAN_UNITY_PLAYER
        test_player tests/unity/test_csharp_players.py tests/unity/test_families.py "$@"
        ;;
    pictures)
        export LUBAN_UNITY_DRAWS="$player" LUBAN_CONTACT_SHEET="$seen"
        test_player tests/unity/test_built_pictures.py "$@"
        ;;
    *)
        echo "**** there is no suite $what: moves or pictures" >&2
        exit 2
        ;;
esac
