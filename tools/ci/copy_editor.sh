#!/bin/sh
# Copy what the checks need out of the image of the project's Editor. Usage: tools/ci/copy_editor.sh FOLDER
# FOLDER becomes like an Editor's folder Data. A container is created and never started: nothing is
# activated, and no licence is needed.
set -eu

FOLDER=$1
DATA=/opt/unity/Editor/Data
NEEDED="Managed/UnityEngine NetStandard CGIncludes"
USEFUL="DotNetSdkRoslyn NetCoreRuntime Resources/PackageManager/BuiltInPackages/com.unity.ext.nunit"

CDPATH='' cd -P "$(dirname "$0")/../.."
version=$(sed -n 's/^m_EditorVersion: //p' unity_project/ProjectSettings/ProjectVersion.txt)

# The image of the tests and builds if it is here already, else the small one without build support.
choose_image() {
    built=unityci/editor:ubuntu-$version-linux-il2cpp-3
    small=unityci/editor:ubuntu-$version-base-3
    if docker image inspect "$built" >/dev/null 2>&1; then
        echo "$built"
    elif pull "$small"; then
        echo "$small"
    elif pull "$built"; then
        echo "$built"
    else
        echo "**** neither $small nor $built can be pulled" >&2
        return 1
    fi
}

pull() {
    for pause in 10 30 0; do
        ! docker pull --quiet "$1" >&2 || return 0
        sleep "$pause"
    done
    return 1
}

copy() {
    mkdir -p "$FOLDER/$(dirname "$1")"
    docker cp --quiet "$container:$DATA/$1" "$FOLDER/$(dirname "$1")"
}

image=$(choose_image)
container=$(docker create "$image")
trap 'docker rm "$container" >/dev/null' EXIT
for folder in $NEEDED; do copy "$folder"; done
for folder in $USEFUL; do copy "$folder" || echo "$image has no $folder"; done
echo "copied from $image, which was not started"
