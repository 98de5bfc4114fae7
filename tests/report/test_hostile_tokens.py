"""Texts whose every token is markup, script, a mark of direction or 10,000 characters, from grid to page."""

import subprocess
import sys

import pytest
import yaml

pytestmark = pytest.mark.tier("check")

SCRIPT = "<script>window.hacked=1</script>"
MARKUP = [
    SCRIPT, f"</script>{SCRIPT}", '"><img/src=x/onerror=window.hacked=1>', "<svg/onload=window.hacked=1>",
    "<!--", "-->", "]]>", "&lt;b&gt;", "&#60;i&#62;", "${window.hacked=1}", "{{data}}", "'\"`\\",
]  # fmt: skip
NAMES = ["__proto__", "constructor", "toString", "NaN", "null", "0-0"]
DIRECTIONS = ["\u202eevil\u202c", "\u200fשלום\u200f", "\u2066x\u2069", "\u200e", "العربية"]
TOKENS = [*MARKUP, *NAMES, *DIRECTIONS]
LONG = ["x" * 10_000, "<b>" * 3_333, "e" + "\u0301" * 3_000, "😀" * 4_000 + " " + "ש" * 4_000]
LINES = [" ".join(TOKENS[k : k + 6]) for k in range(0, len(TOKENS), 6)] + LONG


@pytest.fixture(scope="module")
def hostile(root, tmp_path_factory):
    """The report of a run on these texts."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "text").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    gold = [" ".join(f"{i}-{i}" for i in range(len(line.split(" ")))) for line in LINES]
    (folder / "gold").write_text("\n".join(gold) + "\n")
    side = {"text": "text", "language": SCRIPT}
    config = {
        "pairs": {"p": {"source": side, "target": side, "gold": {"file": "gold"}}},
        "learn_merges": 60,
        "experiments": {"x": {"merges": 40, "spaces": [True, False]}},
        "report": {"title": f"</script>{SCRIPT}"},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config, allow_unicode=True), "utf-8")
    snakefile = str(root / "workflow/Snakefile")
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--snakefile", snakefile]
    command += ["results/report.html", "--configfile", "config.yaml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "results/report.html"


@pytest.mark.parametrize("width", [1280, 390])
def test_every_token_is_shown_as_text_and_fits(open_page, hostile, width):
    shown = open_page(hostile, "#alignments", width=width)
    for number, line in enumerate(LINES, start=1):
        shown.evaluate(f"location.hash = '#alignments?sentence={number}'")
        shown.wait_for_selector(f"#viewer[data-sentence='{number}']")
        source, target = shown.locator("#viewer .gloss").all()
        assert source.locator(".word").all_text_contents() == line.split(" ")
        for side in (source, target):
            for tokens in side.locator(".group").evaluate_all(
                "all => all.map((group) => [...group.children].map((child) => child.textContent))"
            ):
                word, *pieces = [text.replace(" ", "").replace("▁", "") for text in tokens]
                assert set(pieces) == {word}
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth"), number
        assert shown.evaluate("document.querySelector('.gloss').clientHeight < innerHeight")
    assert shown.evaluate("window.hacked === undefined")
    assert shown.locator("main script, main img, main b b, main i, main svg svg").count() == 0
