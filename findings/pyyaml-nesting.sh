#!/usr/bin/env bash
# A patch release of PyYAML brings another libyaml, which refuses more than 1,000 lists in each other.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
for version in 6.0.3 6.0.4; do
    python -m venv "env-$version"
    "env-$version/bin/pip" install -q "pyyaml==$version"
    "env-$version/bin/python" - <<'PY'
import yaml


def events(depth):
    try:
        return sum(1 for _ in yaml.parse("[" * depth + "]" * depth, yaml.CSafeLoader))
    except yaml.YAMLError as error:
        return error.problem


print(yaml.__version__, "with libyaml", yaml._yaml.get_version_string())
print("1,000 lists:", events(1000))
print("1,001 lists:", events(1001))
PY
done >seen
cat >recorded <<'SEEN'
6.0.3 with libyaml 0.2.5
1,000 lists: 2004
1,001 lists: 2006
6.0.4 with libyaml 0.2.6
1,000 lists: 2004
1,001 lists: exceeded maximum nesting depth
SEEN
echo "Packages:  pyyaml==6.0.3, pyyaml==6.0.4"
echo "Behaviour: 6.0.4 has libyaml 0.2.6, whose scanner takes at most 1,000 lists in each other; 6.0.3 has 0.2.5, without a limit."
echo "Expected:  a patch release reads what the one before read."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
