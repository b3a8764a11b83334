#!/bin/sh
# Prepare the environment of an integration, and run its tests.
# Usage: tools/integrations.sh [NAME [PYTEST ARGUMENT ...]]
#
# The pins of these libraries exclude each other and some of Luban's, so each package has an environment
# of its own, integrations/NAME/.venv. Luban is installed there from this tree. A stamp holds a
# checksum of everything that the installation depends on.
# PYTHON=/path/to/python chooses the interpreter. INSTALL_ONLY=1 leaves out the tests.
set -eu

fingerprint() { { pwd -P && cat pyproject.toml "integrations/$1/pyproject.toml"; } | cksum; }

# What was interrupted may be no environment, and pip would install into the system's Python. In one
# that was moved or copied, commands start the interpreter at the former place, or none.
is_whole() {
    [ -f "$1/pyvenv.cfg" ] && "$1/bin/pip" --version 2>/dev/null | grep -qF " from $(pwd -P)/$1/"
}

prepare() {
    venv=integrations/$1/.venv stamp=integrations/$1/.venv/.luban
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint "$1")" ] && return
    echo "Installing integrations/$1 into $venv" >&2
    rm -f "$stamp"
    is_whole "$venv" || { rm -rf "$venv" && "${PYTHON:-python3.11}" -m venv "$venv"; }
    "$venv/bin/python" -m pip --disable-pip-version-check install --quiet --no-input --no-compile \
        --require-virtualenv --editable . --editable "integrations/$1" "pytest>=9.2,<10"
    fingerprint "$1" >"$stamp"
}

run() {
    name=$1
    shift
    prepare "$name"
    [ -n "${INSTALL_ONLY:-}" ] || "integrations/$name/.venv/bin/python" -m pytest \
        -c "integrations/$name/pyproject.toml" --rootdir . "integrations/$name/tests" "$@"
}

CDPATH='' cd -P "$(dirname "$0")/.."
if [ $# -gt 0 ]; then
    run "$@"
else
    for folder in integrations/*/; do
        run "$(basename "$folder")"
    done
fi
