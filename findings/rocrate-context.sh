#!/usr/bin/env bash
# A crate that is read and written loses the terms that its @context defines; the properties that use them stay.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q rocrate==0.16.0
env/bin/python - >seen <<'PY'
import json
from pathlib import Path

from rocrate.rocrate import ROCrate

version = "https://w3id.org/ro/crate/1.1"
metadata = {
    "@context": [f"{version}/context", {"fertility": "https://example.org/terms#fertility"}],
    "@graph": [
        {
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": version},
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "name": "scores",
            "description": "tokens per word",
            "datePublished": "2020-01-02",
            "license": {"@id": "https://spdx.org/licenses/MIT"},
            "fertility": 1.5,
        },
    ],
}
Path("read").mkdir()
Path("read/ro-crate-metadata.json").write_text(json.dumps(metadata))
ROCrate("read").write("written")
for name in ("read", "written"):
    found = json.loads(Path(name, "ro-crate-metadata.json").read_text())
    (root,) = (entity for entity in found["@graph"] if entity["@id"] == "./")
    print(f"{name}: fertility {root['fertility']}, @context {json.dumps(found['@context'])}")
PY
cat >recorded <<'SEEN'
read: fertility 1.5, @context ["https://w3id.org/ro/crate/1.1/context", {"fertility": "https://example.org/terms#fertility"}]
written: fertility 1.5, @context "https://w3id.org/ro/crate/1.1/context"
SEEN
echo "Packages:  rocrate==0.16.0"
echo "Behaviour: Reading and writing a crate drops the terms that its @context defines, and keeps the properties that use them."
echo "Expected:  The same @context, without which JSON-LD does not say what these properties mean."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
