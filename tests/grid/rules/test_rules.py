"""Rules rerun when the config changes what they do."""

import re

import pytest

from snake import rule_files


@pytest.mark.parametrize("made_from", ["input", "output", "resources", "threads"])
def test_no_parameter_of_the_config_is_made_from_a_jobs_files(root, made_from):
    """Snakemake ignores such parameters when it looks for changes, so jobs would not rerun."""
    for file in rule_files():
        text = re.sub(r"#.*", "", file.read_text("utf-8"))
        for head, body in re.findall(r"=lambda ([\w, ]+):(.*?)(?=\n {,8}\S)", text, re.DOTALL):
            if made_from in head.split(", "):
                assert not re.search(r"\b(GRID|config)\b", body), f"{file.name}: {body.strip()}"
