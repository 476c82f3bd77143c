#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: debian.sh [--only FOLDER] SUITE [COMMAND...]. Runs COMMAND (default: scripts/test.sh --quick) on a copy of the source tree (tracked
# and untracked files that git does not ignore) in a minimal Debian of SUITE: bookworm (12) or trixie (13).
# Needs root. The first call makes this Debian by debootstrap in build/roots/SUITE, which git ignores. Later calls use it again, with its
# packages and its build tree (build/roots/SUITE/wisp/build): about 5 GB. To start afresh, delete the folder: nothing stays mounted there.
# The mirror and apt's network settings are those of this machine. COMMAND gets the variables WISP_* and *_proxy, and no others.
# --only: COMMAND runs in a copy of this folder, in a copy of the Debian as debootstrap made it. Both are deleted afterwards. For packages,
# which must work where nothing else is installed.
set -euo pipefail

# These functions run in mount and process namespaces of their own. The kernel removes both when the call ends, also when it is killed.
make() {
    local root=$1 suite=$2 mirror=$3
    rm -rf "$root.new"
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$root.new" ${mirror:+"$mirror"}
    mv "$root.new" "$root"  # only complete, so that a call that is stopped leaves no half of a root
}

enter() {
    local root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    local environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "TERM=${TERM:-dumb}")
    while IFS= read -r -d '' variable; do
        [[ ! $variable =~ ^(WISP_|[a-zA-Z]+_(proxy|PROXY)=) ]] || environment+=("$variable")
    done < <(env -0)
    # shellcheck disable=SC2016
    exec env -i "${environment[@]}" chroot "$root" bash -c 'cd /wisp && exec "$@"' bash "$@"
}

case ${1:-} in
    --make | --enter)
        step=${1#--}
        shift
        "$step" "$@"
        exit ;;
    --only)
        only=$(realpath "$2")
        shift 2 ;;
esac
case ${1:-} in
    bookworm | trixie) suite=$1 ;;
    *) echo "usage: debian.sh [--only FOLDER] SUITE [COMMAND...]; SUITE must be bookworm or trixie" >&2; exit 2 ;;
esac
shift
(($#)) || set -- scripts/test.sh --quick
if [[ $(id -u) != 0 ]]; then
    echo "debian.sh needs root for debootstrap, mount and chroot. Please run it with sudo." >&2
    exit 1
fi

script=$(realpath "$0")
cd "$(dirname "$script")/.."
scripts/setup.sh debootstrap git
own=(unshare --mount --pid --fork --kill-child "$script")
root=$PWD/build/roots/$suite${only:+-minimal}
mkdir -p build/roots
exec 9>"$root.lock"  # inherited by COMMAND: unlocked when its last process ends
if ! flock --nonblock 9; then
    echo "another call of debian.sh uses $root; wait until it ends" >&2
    exit 1
fi

if [[ ! -d $root ]]; then
    eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
    export ${http_proxy:+http_proxy} ${https_proxy:+https_proxy}
    # The archive of this machine's Debian has the other suites too. On another distribution debootstrap chooses.
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | grep -m 1 '/debian/$' || true)
    "${own[@]}" --make "$root" "$suite" "$mirror"
fi
apt-config dump --no-empty | grep -E '^Acquire::(https?|Check|Retries|ForceIPv|Languages)' >"$root/etc/apt/apt.conf.d/90host" || true
for file in /etc/resolv.conf /etc/hosts; do
    cat "$file" >"$root$file"
done

if [[ -n ${only:-} ]]; then
    copy=$root.copy
    child=
    # Also when this script is killed: first the processes, then the files that they use.
    trap '[[ -z $child ]] || { kill "$child" && wait "$child"; } 2>/dev/null || true; rm -rf "$copy"' EXIT
    rm -rf "$copy"
    cp -a "$root" "$copy"
    cp -a "$only" "$copy/wisp"
    "${own[@]}" --enter "$copy" "$@" <&0 &
    child=$!
    wait "$child"
    exit
fi

# tar keeps the times of the files, so that ninja builds only what has changed. Files that were deleted since the last call disappear.
fresh=$root/wisp.new
rm -rf "$fresh"
mkdir "$fresh"
git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do [[ ! -e $file && ! -L $file ]] || printf '%s\0' "$file"; done |
    tar --create --null --no-recursion --files-from - | tar --extract --no-same-owner --directory "$fresh"
[[ ! -d $root/wisp/build ]] || mv "$root/wisp/build" "$fresh/build"
rm -rf "$root/wisp"
mv "$fresh" "$root/wisp"

exec "${own[@]}" --enter "$root" "$@"
