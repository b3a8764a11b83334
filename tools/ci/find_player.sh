#!/bin/sh
# Say whether a build left a player: present=true or present=false in $GITHUB_OUTPUT, and make it
# executable, which an artifact is not. Usage: tools/ci/find_player.sh PLAYER
set -eu

if [ -f "$1" ]; then
    chmod +x "$1"
    echo "present=true" >>"$GITHUB_OUTPUT"
else
    echo "::warning::There is no $(basename "$1"): its build failed, so that there is nothing to test."
    echo "present=false" >>"$GITHUB_OUTPUT"
fi
