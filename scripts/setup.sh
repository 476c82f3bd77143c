#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: setup.sh [--tests] [PACKAGE...]. Installs missing Debian packages: the ones that wisp needs, and the given ones. If the user has no
# permission to install, prints the command to run.
# --tests: what only some tests need, too. Tests run at the same time, and cannot install at the same time.
set -euo pipefail

packages=(
    build-essential cmake ninja-build pkg-config
    glslc libshaderc-dev glslang-dev glslang-tools spirv-tools libspirv-cross-c-shared-dev
    libvulkan-dev libvulkan-volk-dev mesa-vulkan-drivers vulkan-validationlayers
    libglm-dev libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
    libstb-dev libimgui-dev libtinyexr-dev libtinyobjloader-dev libtinygltf-dev libpng-dev
    libxxhash-dev libzstd-dev zlib1g-dev libnanovdb-dev libopenvdb-dev libboost-dev
    libgtest-dev libgmock-dev librapidcheck-dev python3-openvdb python3-numpy
    libglfw3-dev libx11-dev libfontconfig-dev
    ffmpeg ccache mold
    xvfb xauth openbox xdotool imagemagick
    mandoc desktop-file-utils libxml2-utils abigail-tools doxygen zsh fish
)
if [[ ${1:-} == --tests ]]; then
    shift
    packages+=(python3-dev python3-venv slurm-wlm munge iproute2 procps)
fi
packages+=("$@")

missing=()
for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true) == installed ]] || missing+=("$package")
done
((${#missing[@]} == 0)) && exit 0

if [[ $(id -u) == 0 ]]; then
    sudo=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo=(sudo -n)
else
    echo "Packages are missing. Please run, then start again:" >&2
    echo "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
fi

echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update
"${sudo[@]}" apt-get install -y --no-install-recommends "${missing[@]}"
