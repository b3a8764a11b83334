#!/bin/sh
# Compile and test the C# of unity_project/ with Mono. Usage: tests/csharp/run.sh build|test|types
#
# build  Luban.Core, Luban.Wire and the headless player, into build/csharp
# test   the same, then the EditMode tests of Core and Wire under NUnit
# types  the whole project, against hand-written stubs of the engine: types only, nothing runs
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

# compile library|exe NAME SOURCES AND REFERENCES... (references have no -r: and no .dll)
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
}

CDPATH='' cd -P "$(dirname "$0")/../.."
case "${1:-}" in
    build) require_mono && build ;;
    test) require_mono && run_tests ;;
    types) require_mono && check_types ;;
    *) sed -n '2,6s/^# //p' "$0" >&2 && exit 2 ;;
esac
