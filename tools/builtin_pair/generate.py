"""Write the built-in English–German pair: text, gold links and morphemes.

    python tools/builtin_pair/generate.py                       # what resources/builtin holds
    python tools/builtin_pair/generate.py --sentences 1000000 --output elsewhere

The same arguments give the same bytes on every machine; a larger corpus of the same seed begins
with the smaller one.
"""

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent.parent / "resources" / "builtin"
sys.path.insert(0, str(HERE))

from pair.draw import SplitMix64  # noqa: E402
from pair.lexicon import Lexicon, Morphs  # noqa: E402
from pair.sentences import SentencePair, sentence_pair  # noqa: E402


def generate(sentences: int, seed: int, output: Path) -> None:
    """Write `eng.txt`, `deu.txt`, `gold.txt` and the two tables of morphemes.

    Args:
        sentences: number of pairs; no two have the same English text.
        seed: of the draws.
        output: the folder.
    """
    output.mkdir(parents=True, exist_ok=True)
    random, lexicon = SplitMix64(seed), Lexicon()
    morphemes: dict[str, dict[str, Morphs]] = {"eng": {}, "deu": {}}
    seen: set[str] = set()
    with ExitStack() as stack:
        english, german, gold = (
            stack.enter_context((output / name).open("w", encoding="utf-8", newline="\n"))
            for name in ("eng.txt", "deu.txt", "gold.txt")
        )
        while len(seen) < sentences:
            pair = sentence_pair(random, lexicon)
            text = _text(pair.english)
            if text in seen or not _one_analysis_each(pair, morphemes):
                continue
            seen.add(text)
            english.write(f"{text}\n")
            german.write(f"{_text(pair.german)}\n")
            links = (f"{i}{'-' if sure else 'p'}{j}" for i, j, sure in pair.links)
            gold.write(f"{' '.join(links)}\n")
    for language, words in morphemes.items():
        with (output / f"{language}.morphemes.tsv").open(
            "w", encoding="utf-8", newline="\n"
        ) as file:
            file.writelines(f"{word}\t{' '.join(words[word])}\n" for word in sorted(words))


def _one_analysis_each(pair: SentencePair, morphemes: dict[str, dict[str, Morphs]]) -> bool:
    """Add the words of a pair, unless one of them has been added with other morphemes.

    A word such as `Reisen` (Reise-n, journeys, or Reis-en, to travel, at the start of a request) keeps its
    first analysis, so that each type has exactly one.
    """
    sides = (morphemes["eng"], pair.english), (morphemes["deu"], pair.german)
    for known, words in sides:
        for morphs in words:
            if known.get("".join(morphs), morphs) != morphs:
                return False
    for known, words in sides:
        known.update(("".join(morphs), morphs) for morphs in words)
    return True


def _text(words: list[Morphs]) -> str:
    return " ".join("".join(morphs) for morphs in words)


def main() -> None:
    """Read the arguments and write the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, default=2000, help="sentence pairs (2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the draws (1)")
    parser.add_argument(
        "--output", type=Path, default=OUTPUT, help="folder to write (resources/builtin)"
    )
    arguments = parser.parse_args()
    generate(arguments.sentences, arguments.seed, arguments.output)


if __name__ == "__main__":
    main()
