# SPDX-License-Identifier: MIT
# Runs job files with Slurm: a controller and one node, with places for two tasks.
source tests/farm/common.sh
# Slurm looks for addresses of families that an interface has, apart from loopback addresses: one for documentation serves.
ip link set lo up
ip address add 192.0.2.1/32 dev lo
mkdir state spool
node=$(hostname --short)

# Slurm gives each task one of two GPUs. It only requires that their device files exist.
cat >gres.conf <<'END'
Name=gpu File=/dev/null
Name=gpu File=/dev/zero
END
# Everything that Slurm does at intervals, it does once per second. A requeued task starts when the credentials of its last start have
# expired. Slurm forgets no job that has ended, however long the test takes.
cat >slurm.conf <<END
ClusterName=wisp
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$(id --user --name)
SlurmdUser=$(id --user --name)
AuthType=auth/munge
AuthInfo=socket=$PWD/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
KillWait=1
MinJobAge=86400
GresTypes=gpu
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 Gres=gpu:2
PartitionName=all Nodes=ALL Default=YES
END
head --bytes=1024 /dev/urandom >munge.key
chmod 400 munge.key
munged --foreground --force --socket "$PWD/munge.socket" --key-file "$PWD/munge.key" --log-file "$PWD/munged.log" \
    --pid-file "$PWD/munge.pid" --seed-file "$PWD/munge.seed" >munge.log 2>&1 &
await 60 "munged" test -S munge.socket
export SLURM_CONF=$PWD/slurm.conf
slurmctld -D -i >slurmctld.log 2>&1 &
slurmd -D >slurmd.log 2>&1 &
idle() { [[ $(sinfo --noheader --format=%T 2>/dev/null) == idle ]]; }
await 120 "the node" idle

# is JOB WORDS...: whether everything that Slurm knows about a task, such as 4_2, has all of these words. Sets `known`.
is() {
    local word
    known=" $(scontrol --oneliner show job "$1") " || return 1
    for word in "${@:2}"; do [[ $known == *" $word "* ]] || return 1; done
}
# Submits a job file. Sets `first` and `second` to the numbers of its jobs.
submit() {
    local text
    text=$(bash "$1")
    echo "$text"
    read -r first second < <(sed -E 's/.* is job ([0-9]+), .* is job ([0-9]+)\..*/\1 \2/' <<<"$text")
}

wisp job plume.toml "${picture[@]}" "${frames[@]}" --cache cache --out out/%04d.png --slurm plume.sbatch

echo "== a job file says it when Slurm refuses a step"
sed 's/^##SBATCH --partition=NAME/#SBATCH --partition=missing/' plume.sbatch >refused.sbatch
if bash refused.sbatch >refused.log 2>&1; then fail "a job file that Slurm refused ended well"; fi
! grep --quiet "is job" refused.log || fail "a refused job file names jobs"

echo "== a task without a device is requeued as often as the file says"
sed 's/^tries=3 /tries=2 /; s/^cache=cache /cache=none /' plume.sbatch >none.sbatch
VK_DRIVER_FILES=/nonexistent submit none.sbatch
none=$first after_none=$second

echo "== one task is killed, and the disk is full before the last frames"
# Room for the frames of five chunks, in pages.
mkdir out
pages=$(stat --format=%s expected/00{00..19}.png | awk '{ n += int(($1 + 4095) / 4096) } END { print n }')
mount -t tmpfs -o "size=$((4 * pages))k" out out
submit plume.sbatch
simulate=$first render=$second
kill_in_the_middle 8-11 out/0008.png out/0011.png
await 120 "the requeue of the killed task" is "${render}_2" Restarts=1

full() { for i in {0..5}; do is "${render}_$i" JobState=FAILED ExitCode=6:0 && return; done; return 1; }
await 300 "a task on the full disk" full
mount -o remount,size=64m out
# Slurm does not start such a task again by itself: a user does.
complete() {
    for i in {0..5}; do
        is "${render}_$i" JobState=COMPLETED && continue
        if is "${render}_$i" JobState=FAILED; then
            is "${render}_$i" ExitCode=6:0 || fail "$known"
            scontrol requeue "${render}_$i"
        fi
        return 1
    done
}
await 300 "all frames" complete
is "$simulate" JobState=COMPLETED || fail "$known"
diff --recursive expected out || fail "other frames than those of one process"

echo "== the members of a wedge give its sheet"
wedge=(--set-each flow.buoyancy=0.0,0.05 --set-each flow.vorticity=0.0:0.4:3 "${picture[@]}" --frames 2 --out '{index}/%04d.png')
wisp job plume.toml "${wedge[@]}" --slurm wedge.sbatch
submit wedge.sbatch
await 300 "the sheet" test -e plume_wedge/sheet.png
await 120 "the end of the wedge" is "$second" JobState=COMPLETED
mkdir local
(cd local && wisp wedge ../plume.toml "${wedge[@]}")
for i in {0..5}; do is "${first}_$i" JobState=COMPLETED || fail "$known"; done
for i in {0..5}; do diff --recursive "local/000$i" "000$i" || fail "other frames than those of one process"; done
# The sheets differ in the times of the members.
size() { identify -format '%w %h' "$1"; }
[[ $(size local/plume_wedge/sheet.png) == "$(size plume_wedge/sheet.png)" ]] || fail "another sheet than that of one process"
[[ $(wc --lines <plume_wedge/wedge.csv) == 7 ]] || fail "the table must have six members"

is "$none" JobState=FAILED ExitCode=3:0 Restarts=1 || fail "a task without a device: $known"
is "$after_none" JobState=CANCELLED || fail "frames of a simulation that failed: $known"
echo "== passed"
