# SPDX-License-Identifier: MIT
# Runs job templates with openjd, the reference implementation of Open Job Description.
source tests/farm/common.sh

wisp job plume.toml "${picture[@]}" "${frames[@]}" --cache cache --out out/%04d.png --openjd plume.yaml
"$OPENJD" check plume.yaml

echo "== a task that is killed starts again, and all frames are those of one process"
"$OPENJD" run plume.yaml --job-param Wait=0 >plume.log 2>&1 &
run=$!
kill_in_the_middle 8-11 out/0008.png out/0011.png
wait "$run" || fail "the job"
grep --quiet "exit status 137: starts again in 0 s, after start 1 of 3" plume.log || fail "no second start"
grep --quiet "openjd_progress: 100" plume.log || fail "no progress"
diff --recursive expected out || fail "other frames than those of one process"

echo "== a task without a device starts three times; one with a wrong scene, once"
if VK_DRIVER_FILES=/nonexistent "$OPENJD" run plume.yaml --step Simulate --job-param Wait=0 >device.log 2>&1; then
    fail "a job without a device ended well"
fi
[[ $(grep --count "exit status 3: starts again" device.log) == 2 ]] || fail "a task without a device must start three times"
if "$OPENJD" run plume.yaml --step Simulate --job-param Scene=missing --job-param Wait=0 >scene.log 2>&1; then
    fail "a job with a wrong scene ended well"
fi
! grep --quiet "starts again" scene.log || fail "a task with a wrong scene must not start again"
grep --quiet "missing" scene.log || fail "the wrong scene is not named"
echo "== a task uses the GPU that the scheduler gave to it"
uuid=$(wisp info --json | sed -n 's/.*"uuid": "\(.*\)".*/\1/p' | head --lines=1)
[[ -n $uuid ]] || fail "wisp info names no UUID"
gpu() { CUDA_VISIBLE_DEVICES=$1 "$OPENJD" run plume.yaml --step Simulate --job-param Wait=0 --job-param Cache=gpu >gpu.log 2>&1; }
gpu "GPU-$uuid,GPU-00000000-0000-0000-0000-000000000000" || fail "the job with the UUID of the device"
if gpu GPU-00000000-0000-0000-0000-000000000000; then fail "the job with the UUID of another device ended well"; fi
grep --quiet "exit status 3: starts again" gpu.log || fail "a GPU that is missing"
echo "== passed"
