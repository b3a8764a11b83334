#!/bin/sh
# Compile and test the C# of unity_project/. Usage: tests/csharp/run.sh build|test|types|unity DIR|engine DIR
#
# build  Luban.Core, Luban.Wire and the headless player, into build/csharp
# test   the same, then the EditMode tests of Core and Wire under NUnit, and Runtime's drawing on the stubs
# types  the whole project, against hand-written stubs of the engine: types only, nothing runs
# unity  the same with Roslyn ($CSC, or csc), against Unity's own assemblies in DIR; the others use Mono
# engine after unity: Runtime and tests run on the C# in DIR, with native parts of our own (tests/csharp/engine)
set -eu

PACKAGES="mono-mcs mono-devel nunit-console libnunit-cil-dev"
SOURCES=unity_project/Assets/Luban
TESTS=$SOURCES/Tests
OUT=build/csharp

require_mono() {
    for command in mono mcs nunit-console; do
        command -v "$command" >/dev/null || {
            printf '%s\n' "**** The C# code is NOT tested: $command is missing. On Debian:" \
                "****   sudo apt-get install -y --no-install-recommends $PACKAGES" >&2
            exit 3
        }
    done
}

# compile library|exe NAME REFERENCES AND SOURCES...
compile() {
    kind=$1 name=$2
    shift 2
    mcs -langversion:7.2 -warnaserror -debug "-lib:$OUT" "-target:$kind" "-out:$OUT/$name" "$@"
}

core_and_wire() {
    mkdir -p "$OUT"
    compile library Luban.Core.dll "$SOURCES"/Core/*.cs
    compile library Luban.Wire.dll -r:Luban.Core "$SOURCES"/Wire/*.cs
}

build() {
    core_and_wire
    compile exe LubanHeadless.exe -r:Luban.Core -r:Luban.Wire tests/csharp/headless/*.cs
    # With the ending that the genuine UnityEnvironment looks for.
    printf '#!/bin/sh\nexec mono "$(dirname "$0")/LubanHeadless.exe" "$@"\n' \
        >"$OUT/luban-headless.x86_64"
    chmod +x "$OUT/luban-headless.x86_64"
}

run_tests() {
    build
    compile library Luban.Tests.dll -pkg:nunit -r:Luban.Core -r:Luban.Wire \
        "$TESTS"/EditMode/*.cs "$TESTS"/EditMode/Core/*.cs "$TESTS"/EditMode/Wire/*.cs
    nunit-console -nologo -noshadow "-xml=$OUT/results.xml" "$OUT/Luban.Tests.dll"
    run_drawing
}

# The drawing of Runtime on the stubs, which count objects and draw nothing.
run_drawing() (
    OUT=$OUT/drawing
    runtime_on_stubs
    # Under the name to which Runtime shows its internals.
    # shellcheck disable=SC2086 # a list of words
    compile library Luban.Tests.PlayMode.dll $all -r:Luban.Runtime -pkg:nunit tests/csharp/drawing/*.cs \
        "$TESTS/PlayMode/StageScenes.cs" "$TESTS/PlayMode/PictureReadbackTests.cs"
    nunit-console -nologo -noshadow "-xml=$OUT/results.xml" "$OUT/Luban.Tests.PlayMode.dll"
)

runtime_on_stubs() {
    core_and_wire
    compile library Stubs.dll -nowarn:0649,0067 -pkg:nunit tests/csharp/stubs/*.cs
    all="-r:Luban.Core -r:Luban.Wire -r:Stubs"
    # shellcheck disable=SC2086 # a list of words
    compile library Luban.Runtime.dll $all "$SOURCES"/Runtime/*.cs
}

check_types() {
    OUT=$OUT/types # Tests may be using the others meanwhile.
    runtime_on_stubs
    # shellcheck disable=SC2086 # a list of words
    {
        compile library Luban.Editor.dll $all "$SOURCES"/Editor/*.cs
        all="$all -r:Luban.Runtime -r:Luban.Editor"
        compile library Luban.Tests.EditMode.dll $all -pkg:nunit \
            "$TESTS"/EditMode/*.cs "$TESTS"/EditMode/*/*.cs
        compile library Luban.Tests.PlayMode.dll $all -pkg:nunit "$TESTS"/PlayMode/*.cs
    }
    echo "Runtime, Editor and their tests fit the stubs of the engine. Only types were checked."
}

# roslyn NAME REFERENCES AND SOURCES...
roslyn() {
    name=$1
    shift
    # shellcheck disable=SC2086 # a command with its arguments
    ${CSC:-csc} -nologo -noconfig -nostdlib -deterministic -langversion:7.2 -warnaserror \
        -define:UNITY_EDITOR,UNITY_INCLUDE_TESTS -target:library "-out:$OUT/unity/$name.dll" \
        "@$OUT/unity/references.rsp" "$@"
    references="-r:$OUT/unity/$name.dll"
}

check_unity() {
    [ -d "$1" ] || {
        echo "**** name the folder with Unity's assemblies: docs/unity.md says which" >&2
        exit 2
    }
    rm -rf "$OUT/unity"
    mkdir -p "$OUT/unity"
    find "$1" -name '*.dll' -exec printf '-r:"%s"\n' {} + >"$OUT/unity/references.rsp"
    all=""
    for room in Core Wire Runtime Editor Tests/EditMode Tests/PlayMode; do
        name=Luban.$(echo "$room" | tr / .)
        find "$SOURCES/$room" -name '*.cs' | sort >"$OUT/unity/$name.rsp"
        # shellcheck disable=SC2086 # a list of words
        roslyn "$name" $all "@$OUT/unity/$name.rsp"
        all="$all $references"
        echo "$name fits"
    done
    echo "The whole project fits the assemblies in $1. None of it has run."
}

# What a player has beside it: ML-Agents, and what it needs. Mono has the rest.
PACKED="Unity.*.dll Grpc.*.dll Google.*.dll System.Interactive*.dll System.IO.Abstractions.dll libgrpc_csharp_ext*.so"

# Copy what the player and the tests load; the engine's own go through the weaver.
gather() {
    for pattern in $PACKED "UnityEditor*.dll"; do
        find "$1" -name "$pattern" -exec cp {} "$OUT/engine" \;
    done
    cp "$OUT"/unity/Luban.*.dll "$OUT/engine"
}

weave() {
    cecil=$(find /usr/lib/mono/gac/Mono.Cecil -name Mono.Cecil.dll | sort -V | tail -n 1)
    mcs -warnaserror "-r:$cecil" "-out:$OUT/engine/weave.exe" tests/csharp/weave/*.cs
    engines=$(find "$1" -name 'UnityEngine*.dll')
    references=$(printf '%s\n' "$engines" | sed 's/^/-r:/')
    # shellcheck disable=SC2086 # lists of words
    compile exe engine/LubanEngine.exe -r:Facades/netstandard.dll "-lib:$OUT/engine" -r:Luban.Runtime \
        $references tests/csharp/engine/*.cs
    # shellcheck disable=SC2086 # a list of words
    mono "$OUT/engine/weave.exe" "$OUT/engine/LubanEngine.exe" "$OUT/engine" $engines
}

run_on_engine() {
    [ -d "$OUT/unity" ] || {
        echo "**** first: tests/csharp/run.sh unity DIR" >&2
        exit 2
    }
    rm -rf "$OUT/engine"
    mkdir -p "$OUT/engine"
    gather "$1"
    weave "$1"
    printf '#!/bin/sh\nexec mono "$(dirname "$0")/LubanEngine.exe" "$@"\n' >"$OUT/engine/luban-engine.x86_64"
    chmod +x "$OUT/engine/luban-engine.x86_64"
    for mode in EditMode PlayMode; do
        nunit-console -nologo -noshadow -exclude:Editor,Graphics "-xml=$OUT/engine/$mode.xml" \
            "$OUT/engine/Luban.Tests.$mode.dll"
    done
    echo "Runtime has run on the C# in $1, with native parts of our own: no Unity, no PhysX, no pictures."
}

CDPATH='' cd -P "$(dirname "$0")/../.."
case "${1:-}" in
    build) require_mono && build ;;
    test) require_mono && run_tests ;;
    types) require_mono && check_types ;;
    unity) check_unity "${2:-}" ;;
    engine) require_mono && run_on_engine "${2:-}" ;;
    *) sed -n '2,8s/^# //p' "$0" >&2 && exit 2 ;;
esac
