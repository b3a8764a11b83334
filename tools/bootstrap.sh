#!/bin/sh
# Prepare .venv for `make`. Usage: tools/bootstrap.sh runtime|dev|csharp|browser
#
# Installs once and then answers at once: a stamp in .venv holds a checksum of everything that
# the installation depends on. It is written last, so an interrupted run is repaired by the next.
# PYTHON=/path/to/python chooses the interpreter; pip's own settings are left as they are. Nothing is
# compiled: what has no ready-made build is not installed, so nobody needs a compiler.
# "csharp" provides Mono and NUnit instead; without them the C# tests are skipped. "browser" provides
# Chromium; without it the tests of pages are skipped.
set -eu

VENV=.venv
GRAPHICS_PACKAGES="libegl1 libgl1"
CSHARP_PACKAGES="mono-mcs mono-devel nunit-console libnunit-cil-dev"
BROWSERS="chromium chromium-browser google-chrome"
OLDEST="3, 11"
# The first one has ready-made builds of every dependency, the next two of all but PyBullet.
CANDIDATES="python3.11 python3.12 python3.13 python3"

# One line for each argument.
say() { printf '%s\n' "$@" >&2; }

fail() {
    say "$@"
    exit 1
}

is_root() { [ "$(id -u)" -eq 0 ]; }

# -- what the installation depends on ----------------------------------------------------------

# A virtual environment breaks when its folder moves, so the path counts too.
fingerprint() { { pwd -P && cat pyproject.toml constraints.txt; } | cksum; }

stamp() { printf '%s/.luban-%s' "$VENV" "$1"; }

interrupted() { [ -e "$(stamp unfinished)" ]; }

installed() {
    [ -f "$(stamp "$1")" ] && [ "$(cat "$(stamp "$1")")" = "$(fingerprint)" ] &&
        ! interrupted && "$VENV/bin/python" -c '' 2>/dev/null
}

# -- the interpreter ---------------------------------------------------------------------------

suitable() { "$1" -c "import sys; sys.exit(sys.version_info < ($OLDEST))" >/dev/null 2>&1; }

find_python() {
    for candidate in ${PYTHON:-$CANDIDATES}; do
        if suitable "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    fail "Luban needs Python 3.11 or newer${PYTHON:+, and PYTHON=$PYTHON is not}." \
        "On Debian: apt-get install python3 (or name one: make PYTHON=/path/to/python3.11)"
}

minor_version() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'; }

has_pybullet_build() { [ "$(minor_version "$1")" = 3.11 ]; }

mention_pybullet() {
    has_pybullet_build "$1" ||
        say "Note: PyBullet comes ready-made for Python 3.11, not for $(minor_version "$1"), and is left out:" \
            "there is no world bullet and no software renderer; all else works."
}

# -- system packages ---------------------------------------------------------------------------

has_graphics() {
    "$1" -c 'import ctypes; ctypes.CDLL("libEGL.so.1"); ctypes.CDLL("libGL.so.1")' 2>/dev/null
}

can_make_venv() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

missing_packages() {
    can_make_venv "$1" || printf 'python%s-venv ' "$(minor_version "$1")"
    has_graphics "$1" || printf '%s ' "$GRAPHICS_PACKAGES"
}

apt_install() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update && apt-get -qq -o DPkg::Lock::Timeout=60 \
        install -y --no-install-recommends "$@"
}

# Never fails: without the graphics libraries Luban draws with PyBullet's software renderer, or not at
# all, without Mono the C# tests are skipped, and without a browser those of pages.
provide_packages() {
    if is_root && command -v apt-get >/dev/null; then
        say "Installing system packages: $*"
        apt_install "$@" </dev/null >/dev/null || say "apt-get could not install them; going on."
    else
        say "System packages are missing. On Debian this installs them:" \
            "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
    fi
}

check_graphics() {
    has_graphics "$1" && return
    if has_pybullet_build "$1"; then
        say "Without $GRAPHICS_PACKAGES Luban draws with its slower software renderer."
    else
        say "Without $GRAPHICS_PACKAGES Luban draws no pictures and makes no videos."
    fi
}

has_mono() {
    for command in mono mcs nunit-console; do
        command -v "$command" >/dev/null || return 1
    done
}

has_browser() {
    for command in $BROWSERS; do
        command -v "$command" >/dev/null && return 0
    done
    return 1
}

# -- .venv -------------------------------------------------------------------------------------

venv_is_sound() {
    ! interrupted && suitable "$VENV/bin/python" &&
        "$VENV/bin/python" -m pip --version >/dev/null 2>&1 &&
        grep -qF "$(pwd -P)/$VENV/" "$VENV/bin/pip"
}

make_venv() {
    can_make_venv "$1" ||
        fail "$1 cannot make $VENV without the package python$(minor_version "$1")-venv."
    say "Creating $VENV ($("$1" --version))"
    "$1" -m venv --clear "$VENV"
}

pip_install() {
    "$VENV/bin/python" -m pip --disable-pip-version-check install --quiet --no-input --no-compile \
        --only-binary :all: --constraint constraints.txt "$@"
}

# With all cores, where pip has one; tests of others are never loaded. What can't be compiled is
# compiled when it is loaded, as Python always does.
compile_installed() {
    "$VENV/bin/python" -m compileall -q -j 0 -x '/tests/' "$VENV/lib" >/dev/null 2>&1 || :
}

install_luban() {
    say "Installing Luban and its $1 dependencies into $VENV (the first time takes a minute or two)"
    pip_install --editable "$2"
}

# Its own requirements refuse Python 3.11 and every recent protobuf; mlagents_import.py makes up
# for that, and the dev extra brings what it needs. Before pip looks at requirements it must be gone.
remove_mlagents() {
    "$VENV/bin/python" -m pip --disable-pip-version-check uninstall --quiet --yes mlagents-envs \
        2>/dev/null || :
}

install_mlagents() {
    pip_install --no-deps --ignore-requires-python mlagents-envs ||
        say "pip could not install mlagents-envs; going on. The tests against it are skipped."
}

# -- the whole way -----------------------------------------------------------------------------

prepare() {
    python=$(find_python)
    missing=$(missing_packages "$python")
    # shellcheck disable=SC2086 # a list of words
    [ -z "$missing" ] || provide_packages $missing
    if ! venv_is_sound; then
        mention_pybullet "$python"
        make_venv "$python"
    fi
    check_graphics "$python"
    fingerprint >"$(stamp unfinished)"
    # Numba does not notice that a type of another module, which compiled code names, was renamed.
    find pysim -name '*.nb[ci]' -delete
    remove_mlagents
    if install_luban "$1" "$2"; then
        [ "$1" = runtime ] || install_mlagents
        compile_installed
        mv "$(stamp unfinished)" "$(stamp "$1")"
    else
        rm "$(stamp unfinished)" # pip gave up by itself, and undid what it had begun.
        fail "pip could not install Luban. Mend what it says above, then run make again."
    fi
}

trap 'exit 130' INT
trap 'exit 143' TERM
CDPATH='' cd -P "$(dirname "$0")/.."
case "${1:-}" in
    runtime) installed runtime || installed dev || prepare runtime '.[bullet,solve,video]' ;;
    dev) installed dev || prepare dev '.[dev]' ;;
    csharp)
        # shellcheck disable=SC2086 # a list of words
        has_mono || provide_packages $CSHARP_PACKAGES
        ;;
    browser) has_browser || provide_packages chromium ;;
    *) fail "Usage: tools/bootstrap.sh runtime|dev|csharp|browser" ;;
esac
