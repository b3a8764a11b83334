#!/bin/sh
# Free disk space on a hosted runner: an Editor's image needs more than the 14 GB that are free there.
# Toolchains that nothing here uses go. Docker's images and dotnet stay.
set -eu

PREFIX=${FREE_DISK_PREFIX:-} # Tests free a folder of their own.
SUDO=$(command -v sudo || true)

df -h / | tail -n 1
for folder in \
    /opt/ghc /opt/google /opt/microsoft /opt/az /opt/hostedtoolcache/CodeQL \
    /usr/lib/jvm /usr/lib/google-cloud-sdk /usr/local/.ghcup /usr/local/julia* /usr/local/lib/android \
    /usr/local/share/chromium /usr/local/share/powershell /usr/local/share/vcpkg /usr/share/miniconda \
    /usr/share/swift; do
    if [ -e "$PREFIX$folder" ]; then
        $SUDO rm -rf "$PREFIX$folder"
    fi
done
df -h / | tail -n 1
