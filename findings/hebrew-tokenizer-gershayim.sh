#!/usr/bin/env bash
# A Hebrew acronym or loan word is one word with ASCII quotation marks, but is cut in two at the geresh and gershayim of Unicode, and the mark is lost.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q hebrew-tokenizer==2.3.0
env/bin/python -W ignore - >seen <<'PY'
import os
from contextlib import redirect_stdout

# It prints the name of the current folder when it is imported.
with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
    from hebrew_tokenizer import tokenize

for line in ('צה"ל הודיע', "צה״ל הודיע", 'שנת תשפ"ה', "שנת תשפ״ה", "ג'ירפה", "ג׳ירפה"):
    print(line, [token for _, token, _, _ in tokenize(line)])
PY
cat >recorded <<'SEEN'
צה"ל הודיע ['צה"ל', 'הודיע']
צה״ל הודיע ['צה', 'ל', 'הודיע']
שנת תשפ"ה ['שנת', 'תשפ"ה']
שנת תשפ״ה ['שנת', 'תשפ', 'ה']
ג'ירפה ["ג'ירפה"]
ג׳ירפה ['ג', 'ירפה']
SEEN
echo "Packages:  hebrew-tokenizer==2.3.0"
echo "Behaviour: A Hebrew acronym or loan word is one word with ASCII quotation marks, but is cut in two at the geresh and gershayim of Unicode, and the mark is lost."
echo "Expected:  One word in either spelling: U+05F3 and U+05F4 are the marks that the ASCII ones stand for."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
