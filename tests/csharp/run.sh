#!/bin/sh
# Compile and test the C# of unity_project/. Usage: tests/csharp/run.sh build|test|types|unity DIR|engine DIR
#
# build  Luban.Core, Luban.Wire and the headless player, into build/csharp
# test   the same, then the EditMode tests of Core and Wire under NUnit, and Runtime's drawing on the stubs
# types  the whole project, against hand-written stubs of the engine: types only, nothing runs
# unity  the same with Roslyn ($CSC, the Editor's, an SDK's or csc), against Unity's own assemblies: DIR is an Editor, its
#        folder Data, or any folder of .dll files. ML-Agents comes from DIR, or from the project's Library, or it is
#        replaced by the stubs of it. The other commands use Mono.
# engine DIR, after unity DIR: Runtime and tests run on the same C#, with native parts of our own (tests/csharp/engine)
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

# Print the folder Data of an Editor, or the folder itself if it is no Editor.
data_folder() {
    for folder in "$1" "$1/Data" "$1/Editor/Data" "$1/Unity.app/Contents"; do
        if [ -d "$folder/Managed/UnityEngine" ]; then
            echo "$folder"
            return
        fi
    done
    echo "$1"
}

# Print the assemblies that the code refers to. An Editor has many others, and some of them twice.
engine_assemblies() {
    if [ -d "$1/Managed/UnityEngine" ]; then
        find "$1/Managed/UnityEngine" "$1/NetStandard/ref/2.1.0" -name '*.dll'
        find "$1/NetStandard/compat/2.1.0/shims" -name '*.dll' 2>/dev/null || true
        find "$1/Resources/PackageManager/BuiltInPackages" -name nunit.framework.dll 2>/dev/null | sort | tail -n 1
    else
        find "$1" -name '*.dll'
    fi
}

# Print what the packages of the project are, as far as an Editor has opened it.
package_assemblies() {
    [ -d "$LIBRARY" ] || return 0
    find "$LIBRARY/ScriptAssemblies" -name 'Unity*.dll' 2>/dev/null || true
    find "$LIBRARY/PackageCache" \( -path '*com.unity.ml-agents*' -o -name nunit.framework.dll \) -name '*.dll' \
        2>/dev/null || true
}

LIBRARY=unity_project/Library
FITTED=$OUT/unity
ASSEMBLIES=$FITTED/assemblies.txt

# Keep the first of the assemblies of one name.
list_assemblies() {
    { engine_assemblies "$1" && package_assemblies; } | awk -F / '!seen[$NF]++' >"$ASSEMBLIES"
    grep -q '/UnityEngine[^/]*\.dll$' "$ASSEMBLIES" || {
        echo "**** there is no UnityEngine*.dll in $1: docs/unity.md says which folder to name" >&2
        exit 2
    }
    sed 's/.*/-r:"&"/' "$ASSEMBLIES" >"$FITTED/references.rsp"
    grep -v '/UnityEditor[^/]*"$' "$FITTED/references.rsp" >"$FITTED/player/references.rsp"
}

has_assembly() { grep -q "/$1\$" "$ASSEMBLIES"; }

# Mono's will do for types. Unity's shim of mscorlib lets Roslyn follow it to System.
nunit_of_mono() { find /usr/lib/mono -name nunit.framework.dll 2>/dev/null | sort | tail -n 1; }

# roslyn NAME REFERENCES AND SOURCES...
roslyn() {
    name=$1
    shift
    # shellcheck disable=SC2086 # a command with its arguments
    $CSC -nologo -noconfig -nostdlib -deterministic -langversion:7.2 -warnaserror -nowarn:1701,1702 \
        "-define:$DEFINES" -target:library "-out:$FITTED/$name.dll" "@$FITTED/references.rsp" "$@"
    references="-r:$FITTED/$name.dll"
}

# check_rooms ROOMS REFERENCES...
check_rooms() {
    rooms=$1
    shift
    for room in $rooms; do
        name=Luban.$(echo "$room" | tr / .)
        find "$SOURCES/$room" -name '*.cs' | sort >"$FITTED/$name.rsp"
        roslyn "$name" "$@" "@$FITTED/$name.rsp"
        set -- "$@" "$references"
        echo "$name fits"
    done
}

# Print the compiler of the newest .NET SDK that is installed, or csc.
compiler_of_sdk() {
    sdk=$(dotnet --list-sdks 2>/dev/null | sort -V | tail -n 1 | sed 's/^\([^ ]*\) \[\(.*\)\]$/\2\/\1/')
    if [ -n "$sdk" ] && [ -f "$sdk/Roslyn/bincore/csc.dll" ]; then
        echo "dotnet $sdk/Roslyn/bincore/csc.dll"
    else
        echo csc
    fi
}

choose_compiler() {
    if [ -z "${CSC:-}" ] && [ -f "$1/DotNetSdkRoslyn/csc.dll" ]; then
        CSC="dotnet $1/DotNetSdkRoslyn/csc.dll"
        [ ! -x "$1/NetCoreRuntime/dotnet" ] || CSC="$1/NetCoreRuntime/dotnet $1/DotNetSdkRoslyn/csc.dll"
    fi
    [ -n "${CSC:-}" ] || CSC=$(compiler_of_sdk)
    command -v "${CSC%% *}" >/dev/null || {
        echo "**** there is no C# compiler ${CSC%% *}: set CSC to a Roslyn" >&2
        exit 2
    }
}

check_unity() {
    [ -d "$1" ] || {
        echo "**** name the folder with Unity's assemblies: docs/unity.md says which" >&2
        exit 2
    }
    rm -rf "$FITTED" "$OUT/engine"
    mkdir -p "$FITTED/player"
    data=$(data_folder "$1")
    list_assemblies "$data"
    choose_compiler "$data"
    DEFINES=UNITY_EDITOR,UNITY_INCLUDE_TESTS
    packages=""
    if ! has_assembly Unity.ML-Agents.dll; then
        echo "ML-Agents is not there: its stubs stand in. The Editor fills $LIBRARY when it opens the project."
        roslyn Unity.ML-Agents tests/csharp/stubs/MLAgents.cs
        packages=$references
    fi
    tests="Tests/EditMode Tests/PlayMode"
    if ! has_assembly nunit.framework.dll; then
        nunit=$(nunit_of_mono)
        if [ -n "$nunit" ]; then
            echo "NUnit is not there: Mono's stands in"
            packages="$packages -r:$nunit"
        else
            echo "NUnit is not there: the tests are NOT checked"
            tests=""
        fi
    fi
    # shellcheck disable=SC2086 # lists of words
    {
        check_rooms "Core Wire Runtime Editor $tests" $packages
        FITTED=$FITTED/player DEFINES=UNITY_STANDALONE,UNITY_STANDALONE_LINUX
        check_rooms "Core Wire Runtime" $packages
    }
    echo "The project fits the assemblies in $data, in the Editor and in a player. None of it has run."
}

# What a player has beside it: ML-Agents, and what it needs. Mono has the rest.
PACKED='/(Unity\.|Grpc\.|Google\.|System\.Interactive|System\.IO\.Abstractions|UnityEditor)[^/]*\.dll$'

# Copy what the player and the tests load; the engine's own go through the weaver.
gather() {
    grep -E "$PACKED" "$ASSEMBLIES" | while read -r assembly; do cp "$assembly" "$OUT/engine"; done
    for folder in "$1" "$LIBRARY"; do
        [ ! -d "$folder" ] || find "$folder" -name 'libgrpc_csharp_ext*.so' -exec cp {} "$OUT/engine" \;
    done
    cp "$OUT"/unity/Luban.*.dll "$OUT/engine"
}

weave() {
    cecil=$(find /usr/lib/mono/gac/Mono.Cecil -name Mono.Cecil.dll | sort -V | tail -n 1)
    mcs -warnaserror "-r:$cecil" "-out:$OUT/engine/weave.exe" tests/csharp/weave/*.cs
    engines=$(grep '/UnityEngine[^/]*\.dll$' "$ASSEMBLIES" | grep -v TestRunner)
    references=$(printf '%s\n' "$engines" | sed 's/^/-r:/')
    # shellcheck disable=SC2086 # lists of words
    compile exe engine/LubanEngine.exe -r:Facades/netstandard.dll "-lib:$OUT/engine" -r:Luban.Runtime \
        $references tests/csharp/engine/*.cs
    # shellcheck disable=SC2086 # a list of words
    mono "$OUT/engine/weave.exe" "$OUT/engine/LubanEngine.exe" "$OUT/engine" $engines
}

run_on_engine() {
    [ -s "$ASSEMBLIES" ] || {
        echo "**** first: tests/csharp/run.sh unity DIR" >&2
        exit 2
    }
    rm -rf "$OUT/engine"
    if [ -f "$OUT/unity/Unity.ML-Agents.dll" ]; then
        echo "**** Nothing is run: a player needs ML-Agents itself, and there were only its stubs." >&2
        exit 3
    fi
    mkdir -p "$OUT/engine"
    gather "$1"
    weave
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
    *) sed -n '2,11s/^# //p' "$0" >&2 && exit 2 ;;
esac
