#!/bin/sh
# The README's two commands on fresh Debians. As root: tools/fresh_debian.sh [12] [13]
#
# For each Debian: debootstrap's smallest system with python3, git and make, a fresh clone of what is
# committed here, and `make demo` and `make test` in it. First as an ordinary user, who is told by the
# first `make` which packages are missing and has an administrator install them; then as root, where
# make installs them itself, in a second system. Needs debootstrap. Nothing stays behind.
#
#   ARGS        as for make test: ARGS="-k burr"
#   TARGETS     what to make, instead of "demo test"
#   MIRROR      where debootstrap takes Debian from; its own default otherwise
#   CARRY       files of this machine to copy in, by absolute path: sources of apt, pip's
#               configuration, certificates
#   SHOW        folders of this machine to show inside, read-only: indexes of packages
#   PASS        names of variables that commands inside may see: PIP_INDEX_URL, http_proxy
#   WORK        where the systems are made, some 4 GB each; $TMPDIR or /tmp otherwise
set -eu

PACKAGES="python3,git,make,ca-certificates"
USER_NAME=player
TARGETS=${TARGETS:-demo test}

say() { printf '%s\n' "$@" >&2; }

fail() {
    say "$@"
    exit 1
}

codename() {
    case "$1" in
        12) echo bookworm ;;
        13) echo trixie ;;
        *) fail "Usage: tools/fresh_debian.sh [12] [13]" ;;
    esac
}

# -- the system --------------------------------------------------------------------------------

# Unmounting comes first: what is shown inside belongs to this machine.
clean_up() {
    mounted | sort -r | while read -r place; do umount "$place"; done
    [ -z "$(mounted)" ] || fail "Something is still mounted under $root; it is left as it is."
    rm -rf --one-file-system "$root"
}

mounted() { awk -v root="$root/" 'index($2, root) == 1 { print $2 }' /proc/mounts; }

show() {
    mkdir -p "$root$1"
    mount --bind "$1" "$root$1"
    mount -o remount,bind,ro "$root$1"
}

make_system() {
    say "== Debian $1: making a system in $root"
    # shellcheck disable=SC2086 # one word or none
    debootstrap --variant=minbase --include="$PACKAGES" "$(codename "$1")" "$root" ${MIRROR:-} \
        >"$root.log" 2>&1 || fail "debootstrap failed:" "$(tail -5 "$root.log")"
    mount -t proc proc "$root/proc"
    mkdir -p "$root/dev/pts" "$root/dev/shm"
    mount -t devpts devpts "$root/dev/pts"
    mount -t tmpfs tmpfs "$root/dev/shm"
    [ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    # As Debian's installer writes it: without, localhost is no name of this machine.
    echo "127.0.0.1 localhost" >"$root/etc/hosts"
    for file in ${CARRY:-}; do
        mkdir -p "$root$(dirname "$file")"
        cp -L "$file" "$root$file"
    done
    for folder in ${SHOW:-}; do show "$folder"; done
    chroot "$root" useradd --create-home "$USER_NAME"
}

# -- what is done in it ------------------------------------------------------------------------

# Only what PASS names comes from this machine's environment.
inside() {
    who=$1
    shift
    passed=
    for name in ${PASS:-}; do
        eval "value=\${$name-}"
        # shellcheck disable=SC2154 # set by eval
        [ -z "$value" ] || passed="$passed export $name=$(quoted "$value");"
    done
    command="cd;$passed $*"
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 su "$who" -s /bin/sh -c "$command"
}

quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }

clone_for() {
    git clone --quiet --no-hardlinks . "$root/tmp/luban"
    home=$(chroot "$root" sh -c "cd ~$1 && pwd")
    mv "$root/tmp/luban" "$root$home/luban"
    chroot "$root" chown -R "$1:" "$home/luban"
}

make_target() {
    began=$(date +%s)
    arguments=
    [ "$3" = demo ] || arguments="ARGS=$(quoted "${ARGS:-}")"
    if inside "$2" make -C luban "$3" "$arguments" >"$root.log" 2>&1 </dev/null; then
        result=passed
    else
        result=FAILED
        failed="$failed
  Debian $1, $2, make $3"
    fi
    sed 's/^/    /' "$root.log" | tail -"$([ $result = passed ] && echo 6 || echo 40)"
    say "-- Debian $1, $2, make $3: $result in $(($(date +%s) - began)) s"
}

# An ordinary user's first make installs no packages of the system: it says which are missing.
have_packages_installed() {
    inside "$1" make -C luban demo >"$root.log" 2>&1 </dev/null || :
    command=$(sed -n 's/^ *sudo \(apt-get update\) && sudo \(apt-get install .*\)/\1 \&\& \2/p' "$root.log")
    [ -n "$command" ] || fail "make did not say which packages are missing:" "$(tail "$root.log")"
    say "-- the user is told to run: $command"
    inside root "export DEBIAN_FRONTEND=noninteractive; $command" >"$root.log" 2>&1 </dev/null ||
        fail "it failed:" "$(tail "$root.log")"
}

try() {
    root=$(mktemp -d "${WORK:-${TMPDIR:-/tmp}}/luban-debian-$1-XXXXXX")
    chmod 755 "$root"
    make_system "$1"
    clone_for "$2"
    [ "$2" = root ] || have_packages_installed "$2"
    for target in $TARGETS; do make_target "$1" "$2" "$target"; done
    clean_up
    rm -f "$root.log"
    root=
}

# -- the whole way -----------------------------------------------------------------------------

leave() { [ -z "$root" ] || { clean_up && rm -f "$root.log"; }; }

root='' failed=''
[ "$(id -u)" -eq 0 ] || fail "Only root can mount and change roots: sudo tools/fresh_debian.sh"
command -v debootstrap >/dev/null || fail "This needs debootstrap: apt-get install debootstrap"
[ $# -gt 0 ] || set -- 12 13
for version; do codename "$version" >/dev/null; done
CDPATH='' cd -P "$(dirname "$0")/.."
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for version; do
    for who in "$USER_NAME" root; do try "$version" "$who"; done
done
[ -z "$failed" ] || fail "FAILED:$failed"
say "All passed."
