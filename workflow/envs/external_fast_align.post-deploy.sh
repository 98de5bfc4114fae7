#!/usr/bin/env bash
# Build fast_align into the conda environment. Snakemake runs this once, after it has made the environment.
# The name of a commit is the digest of its files, which git checks when it receives them.
set -euo pipefail
commit=cab1e9aac8d3bb02ff5ae58218d8d225a039fa11
source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
git init --quiet "$source"
git -C "$source" fetch --quiet --depth 1 https://github.com/clab/fast_align "$commit"
git -C "$source" checkout --quiet --detach "$commit"
cmake -S "$source" -B "$source/build"
cmake --build "$source/build" --target fast_align
install "$source/build/fast_align" "$CONDA_PREFIX/bin/fast_align"
