"""The tutorials do what they say: each command, file and change of a page in turn, and what it shows of
the output."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A block of a language, or indented lines, which are commands.
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```|((?:^    \S[^\n]*\n)+)", re.M | re.S)


def blocks(page):
    """The prose before each block, its language (`""`: commands), and its text."""
    end = 0
    for found in BLOCK.finditer(page):
        yield page[end : found.start()].strip(), found[1] or "", found[2] or found[3]
        end = found.end()


class Reader:
    """Someone who follows a page.

    Attributes:
        folder: where the next command runs.
        output: what the last block of commands printed.
    """

    def __init__(self, folder):
        self.folder, self.output = folder, ""

    def follow(self, prose, language, text):
        shares = {f"{100 * float(share):.1f}" for share in re.findall(r"\b0\.\d+", self.output)}
        assert {*re.findall(r"(\d+\.\d)%", prose)} <= shares
        named = re.findall(r"`(\w+\.yaml)`", prose.rpartition("\n\n")[2])
        if language == "":
            self.output = "".join(self.run(line.strip()) for line in text.splitlines())
        elif language == "text":
            printed = self.output.splitlines()
            assert [line for line in text.splitlines() if line not in printed] == [], self.output
        elif language == "diff":
            self.change(self.folder / named[-1], text)
        elif language == "yaml" and prose.endswith(f"`{(named or [''])[-1]}`:"):
            (self.folder / named[-1]).write_text(text, "utf-8")
        elif language == "yaml":
            shown = (self.folder / named[-1]).read_text("utf-8").splitlines()
            assert [line for line in text.splitlines() if line not in shown] == []

    def run(self, command):
        """Run a command; return what it prints."""
        if command.startswith("cd "):
            self.folder /= command.removeprefix("cd ")
            return ""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout + done.stderr

    def change(self, file, diff):
        """Replace the lines with a minus by those with a plus."""
        old, new = ("".join(re.findall(rf"^[{sign}](.*\n)", diff, re.M)) for sign in "-+")
        text = file.read_text("utf-8")
        assert text.count(old) == 1, old
        file.write_text(text.replace(old, new), "utf-8")


@pytest.mark.tier("check")
@pytest.mark.parametrize("name", ["tutorial", "tutorial-tokenizer"])
def test_a_tutorial_can_be_followed(tmp_path, name):
    reader = Reader(tmp_path)
    followed = list(blocks((ROOT / f"docs/{name}.md").read_text("utf-8")))
    assert len(followed) > 7
    for block in followed:
        reader.follow(*block)
    assert (reader.folder / "results/report.html").is_file()
