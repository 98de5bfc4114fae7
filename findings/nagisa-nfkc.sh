#!/usr/bin/env bash
# Words of a Japanese line are not pieces of it: nagisa applies NFKC first, and a space becomes an ideographic space that is a word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q nagisa==0.3.0
env/bin/python - >seen <<'PY'
from nagisa import tagging

for line in "ﾊﾟｿｺﾝとｶﾞｽ", "①番の㍿", "か\u3099くせい", "東京 に住む":
    words = tagging(line).words
    print(line, "joined again" if "".join(words) == line else "changed", words)
PY
cat >recorded <<'SEEN'
ﾊﾟｿｺﾝとｶﾞｽ changed ['パソコン', 'と', 'ガス']
①番の㍿ changed ['1', '番', 'の', '株式', '会社']
がくせい changed ['がく', 'せい']
東京 に住む changed ['東京', '\u3000', 'に', '住む']
SEEN
echo "Packages:  nagisa==0.3.0"
echo "Behaviour: Words of a Japanese line are not pieces of it: nagisa applies NFKC first, and a space becomes an ideographic space that is a word."
echo "Expected:  The pieces of the line itself, as Janome gives them, so that places of words can be found again."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
