"""What a shell completes is what the verbs have."""

import shutil
import subprocess

import pytest

from seggrid.commands import VERBS, main, parser_of

ASK = """
source completions
COMP_WORDS=(seggrid {words} "")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
COMP_WORDS[COMP_CWORD]="{begun}"
_shtab_seggrid
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def complete(tmp_path, capsys):
    """Ask bash how it completes a word that is begun, after others."""
    pytest.importorskip("shtab", reason="pip install shtab")
    bash = shutil.which("bash") or pytest.skip("no bash")
    assert main(["completion", "bash"]) == 0
    (tmp_path / "completions").write_text(capsys.readouterr().out)
    for name in ("links.txt", "text.txt"):
        (tmp_path / name).touch()

    def ask(words: str, begun: str) -> set[str]:
        script = ASK.format(words=words, begun=begun)
        done = subprocess.run(
            [bash, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return set(done.stdout.split())

    return ask


def test_verbs_options_values_and_files_are_completed(complete):
    assert complete("", "") >= set(VERBS)
    assert complete("", "re") == {verb for verb in VERBS if verb.startswith("re")}
    assert complete("align", "--thr") == {"--threads"}
    assert complete("align --symmetrization", "grow") == {
        value
        for action in parser_of("align")._actions
        if action.dest == "symmetrization"
        for value in action.choices
        if value.startswith("grow")
    }
    assert complete("score", "li") == {"links.txt"}


@pytest.mark.parametrize("shell", ["zsh", "fish", "tcsh"])
def test_every_verb_is_known_to_each_shell(shell, capsys):
    pytest.importorskip("shtab", reason="pip install shtab")
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(verb in script for verb in VERBS)
