#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: verify.sh [OUTPUT]. Runs every case of the verification tables at full size. Writes OUTPUT.md and OUTPUT.json (default:
# build/verification) with case, expected value, result and verdict. Fails if an expectation is not met or a case was not run. The page
# docs/verification.md is written this way.
# WISP_VERIFY_TESTS: folder with test programs that were built elsewhere; nothing is built then.
set -euo pipefail
cd "$(dirname "$0")/.."
output=${1:-build/verification}

preset=${WISP_VERIFY_PRESET:-release}
tests=${WISP_VERIFY_TESTS:-build/$preset/tests}
if [[ -z ${WISP_VERIFY_TESTS:-} ]]; then
    for target in wisp wisp_gpu_tests wisp_physics_tests wisp_app_tests wisp_verify_table; do scripts/build.sh "$preset" "$target"; done
fi

lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
export WISP_VERIFY=full WISP_VERIFY_OUT=$lines WISP_REQUIRE_VULKAN=1

status=0
run() {
    echo "== $1 $2"
    "$tests/$1" --gtest_brief=1 --gtest_filter="$2" || status=1
}
run wisp_gpu_tests 'PassRotation.*:PassJacobi.*:PassPotential.*:PassPhase.*:*PassRaymarch.Transmits*'
run wisp_physics_tests 'Lab.OneTurnOfEachScheme:*SmokeDensity.Moves*:*SmokeDensity.Mass*:FlowEnergy.*:Momentum.IsKept:PressureSolve.ACycle*:PressureSolve.Conjugate*:PressureSolve.Manufactured*'
run wisp_physics_tests '*FlowDivergence.*:FlowRest.*:PotentialFlow.*:*VortexStreet.*:BodyForces.*:ObstacleGalilean.*:*FlowSolids.*:FlowSymmetry.*:Plume*:FineDivergence.Falls*'
run wisp_physics_tests 'LightSlab.*:PathTrace.*:PathSlab.*:RaymarchAgainstPath.*:ScatteredLightTest.LooksTheSame*:LampInSmoke.HasTheLight*:ScatteredFireLight.*'
run wisp_physics_tests 'Liquid.*'
run wisp_app_tests 'PngOfASlab.*'

revision=$(git describe --always --dirty 2>/dev/null || echo unknown)
"$tests/wisp_verify_table" "$lines" "$output" "$revision" || status=1
echo "took $((SECONDS / 60)) min $((SECONDS % 60)) s"
exit "$status"
