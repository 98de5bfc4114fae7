#!/bin/sh
# usage: find_python.sh [PYTHON]: print a Python that can install seggrid, or say in one line what is missing.
# Without an argument the first that suits: python3, then the newest. Downloads nothing.
cd "$(dirname "$0")/.." || exit 1
# requires-python = ">=3.OLDEST,<3.NEXT"
range=$(sed -n 's/^requires-python = ">=3\.\([0-9]*\),<3\.\([0-9]*\)"$/\1 \2/p' pyproject.toml)
oldest=${range% *} next=${range#* }

fail() { echo "error: $*" >&2; exit 1; }
suits() { "$1" -c "import sys; sys.exit(not (3, $oldest) <= sys.version_info < (3, $next))" 2> /dev/null; }

python=$1
if [ -z "$python" ]; then
    minor=$next
    python=python3
    while ! suits "$python" && [ "$minor" -gt "$oldest" ]; do
        minor=$((minor - 1))
        python=python3.$minor
    done
    suits "$python" || python=python3
fi
if ! suits "$python"; then
    found=$("$python" --version 2> /dev/null) || found="no such program"
    fail "seggrid needs Python 3.$oldest to 3.$((next - 1)); $python here: $found (install one, or name it: make PYTHON=...)"
fi
version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
"$python" -c 'import ensurepip, venv' 2> /dev/null ||
    fail "$python cannot make a virtual environment (Debian: apt install $version-venv)"
# eflomal, an aligner of the default config, is published as source only.
command -v gcc > /dev/null || command -v cc > /dev/null ||
    fail "no C compiler, which building the aligner eflomal needs (Debian: apt install gcc)"
headers=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
[ -f "$headers/Python.h" ] ||
    fail "no Python.h in $headers, which building the aligner eflomal needs (Debian: apt install $version-dev)"
echo "$python"
