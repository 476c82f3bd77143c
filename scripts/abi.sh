#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: abi.sh [LIBRARY]. Compares the binary interface of the library (default: build/ci/libwisp.so) with that of the last release in
# api/released.abi.gz. Additions are allowed. The library must be compiled with -DWISP_ABI=ON.
# abi.sh --release [LIBRARY] writes that file: do it together with a new version.
set -euo pipefail
cd "$(dirname "$0")/.."
release=false
if [[ ${1:-} == --release ]]; then
    release=true
    shift
fi
library=${1:-build/ci/libwisp.so}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if $release; then
    abidw --headers-dir include/wisp --drop-private-types --exported-interfaces-only --type-id-style hash --short-locs --no-parameter-names \
        --no-corpus-path --no-comp-dir-path --out-file "$folder/released.abi" "$library"
    gzip -9 --no-name --stdout "$folder/released.abi" >api/released.abi.gz
    exit 0
fi
gunzip --stdout api/released.abi.gz >"$folder/released.abi"
# Templates of the C++ library and of toml++ that the compiler did not inline are exported as well, and so are members of Impl. Nobody may
# link to them. Rules of what to keep (symbol_name_not_regexp) do not work: abidiff 2.2 then also hides members of wisp's structs.
for kind in function variable; do
    # The second rule is for symbols without debug information, for which abidiff ignores the first one.
    printf '[suppress_%s]\nname_regexp = ^(std|toml)::\n[suppress_%s]\nsymbol_name_regexp = ^_Z[A-Z]*St|4Impl\n' $kind $kind
done >"$folder/others.abignore"
# Exit status: a bit set, of which 1 and 2 are errors of the program, 4 any change, 8 an incompatible one.
status=0
abidiff --suppressions "$folder/others.abignore" --headers-dir2 include/wisp --drop-private-types --no-added-syms "$folder/released.abi" \
    "$library" || status=$?
((status == 0 || status == 4)) && exit 0
echo "The binary interface has changed. Mend that, or change the minor version in CMakeLists.txt and run scripts/abi.sh --release." >&2
exit 1
