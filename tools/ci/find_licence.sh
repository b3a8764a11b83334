#!/bin/sh
# Say whether there is a Unity licence: present=true or present=false in $GITHUB_OUTPUT.
# A licence is UNITY_LICENSE or UNITY_SERIAL, with UNITY_EMAIL and UNITY_PASSWORD. The secrets themselves
# are not needed here: HAS_LICENSE, HAS_SERIAL, HAS_EMAIL and HAS_PASSWORD are "true" where one is set.
# FORK is "true" for a pull request from a fork, which gets no secrets.
set -eu

missing=""
[ "${HAS_LICENSE:-}" = true ] || [ "${HAS_SERIAL:-}" = true ] || missing=" UNITY_LICENSE (or UNITY_SERIAL)"
[ "${HAS_EMAIL:-}" = true ] || missing="$missing UNITY_EMAIL"
[ "${HAS_PASSWORD:-}" = true ] || missing="$missing UNITY_PASSWORD"

if [ -z "$missing" ]; then
    echo "present=true" >>"$GITHUB_OUTPUT"
    exit 0
fi
if [ "${FORK:-}" = true ]; then
    why="a pull request from a fork gets no secrets. A maintainer can run this workflow on a branch."
else
    why="these secrets are not set:$missing. docs/unity.md says how to get them."
fi
echo "::warning::SKIPPED: nothing is run in Unity, as $why"
echo "SKIPPED: nothing is run in Unity, as $why" >>"$GITHUB_STEP_SUMMARY"
echo "present=false" >>"$GITHUB_OUTPUT"
