"""Time of learning and applying BPE: compared with other programs, also as whole processes, and with growing
text.

    python benchmarks/bpe.py peers data/thesis/eng-deu/{eng,deu}_with_10k.txt
    python benchmarks/bpe.py commands data/thesis/eng-deu/eng_with_10k.txt
    python benchmarks/bpe.py growth data/thesis/eng-deu/eng_with_10k.txt

Texts are `id<TAB>sentence`. Each program starts from the sentences as strings, in this process, after one
warm-up run; programs take turns, so that other load on the machine affects all alike. Prints medians of wall
time and CPU time (all threads), and the ratio of ours to the fastest other program.

All programs do the same work as far as possible: they learn as many merges, none of a pair that occurs once,
from an alphabet of characters only; words are marked at their first character (ours, Hugging Face), by `▁`
before it (sentencepiece) or at their last character (subword-nmt). Exceptions:
- sentencepiece also learns pairs that occur once;
- without spaces, sentencepiece is left out, since its pieces never end in `▁`, and subword-nmt, which would
  need minutes;
- in sentencepiece's dropout, `▁` is a symbol of its own, whose merges may be dropped too.
Hugging Face and sentencepiece use all cores, ours and subword-nmt one.

`commands` starts a process for each program, on one thread, that reads a file, learns and writes the model;
it leaves out programs that are not installed; `growth` does so for `seggrid learn` and `segment`. The text is
repeated up to a number of lines; in each repetition every 50th word is replaced by a made-up one.
"""

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from external import long_text
from seggrid.text.text_files import Text
from timing import medians, timed

RATE, SAMPLES = 0.1, 10


def race(title, contenders, runs):
    """Time the function that each program returns, in turns; print medians and ratios."""
    times = {name: [] for name in contenders}
    results = {}
    for run in range(runs + 1):
        for name, make in contenders.items():
            results[name], *seconds = timed(make())
            if run:
                times[name].append(seconds)
    typical = medians(times)
    for name, (wall, cpu) in typical.items():
        print(f"{title:38}{name:>15}{wall:10.3f}{cpu:10.3f}  {results[name]}")
        title = ""
    peers = [typical[name] for name in typical if not name.startswith("ours")]
    for name in (name for name in typical if name.startswith("ours")):
        ratios = [typical[name][k] / min(peer[k] for peer in peers) for k in range(2)]
        print(f"{'':38}{name + ' / best':>15}{ratios[0]:10.2f}{ratios[1]:10.2f}", flush=True)


def learning(lines, merges, spaces):
    """The programs' learners; each returns the number of merges that it learned."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    from seggrid.segment.bpe.model import learn

    # A vocabulary size of initial symbols plus merges makes the other programs stop at the same merge.
    words = {word for line in lines for word in line.split(" ")}
    inner = {c for word in words for c in word[1:]}
    if spaces:
        alphabet = len({word[0] for word in words}) + len(inner)
    else:
        alphabet = len({c for word in words for c in word} | {"▁"})

    def ours():
        return len(learn([line.split(" ") for line in lines], merges, spaces=spaces).merges)

    def hugging_face():
        prefix = {"continuing_subword_prefix": "##"} if spaces else {}
        tokenizer = Tokenizer(models.BPE(**prefix))
        text = lines
        if spaces:
            tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "removed")
        else:
            text = [line.replace(" ", "▁") for line in lines]
        trainer = trainers.BpeTrainer(
            vocab_size=alphabet + merges,
            min_frequency=2,
            show_progress=False,
            **prefix,
        )
        tokenizer.train_from_iterator(text, trainer)
        return tokenizer.get_vocab_size() - alphabet

    def sentencepiece():
        model = sentencepiece_model(lines, merges)
        return model.get_piece_size() - 3 - len({c for word in words for c in word} | {"▁"})

    def subword_nmt():
        from subword_nmt.learn_bpe import learn_bpe

        out = io.StringIO()
        with contextlib.redirect_stderr(io.StringIO()):
            learn_bpe(lines, out, merges, min_frequency=2)
        return out.getvalue().count("\n") - 1

    contenders = {"ours": lambda: ours, "tokenizers": lambda: hugging_face}
    if spaces:
        contenders |= {"sentencepiece": lambda: sentencepiece, "subword-nmt": lambda: subword_nmt}
    return contenders


def sentencepiece_model(lines, merges):
    """A model of sentencepiece with this number of merges."""
    import sentencepiece

    characters = {c for line in lines for c in line if c != " "} | {"▁"}
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=out,
        model_type="bpe",
        vocab_size=3 + len(characters) + merges,
        character_coverage=1.0,
        normalization_rule_name="identity",
        max_sentence_length=1_000_000,
        max_sentencepiece_length=512,
        split_by_unicode_script=False,
        split_by_number=False,
        minloglevel=2,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())


def applying(lines, rate, merges):
    """The programs' appliers of some merges; each returns its number of tokens over all samples."""
    from subword_nmt.apply_bpe import BPE
    from tokenizers import Tokenizer

    from seggrid.segment.bpe.apply import apply, apply_dropout
    from seggrid.segment.bpe.model import learn
    from seggrid.segment.formats.merges import write_merges
    from seggrid.segment.formats.tokenizer_writer import write_tokenizer

    sentences = [line.split(" ") for line in lines]
    model = learn(sentences, merges)
    folder = Path(tempfile.mkdtemp())
    write_tokenizer(model, folder / "tokenizer.json", {c for line in lines for c in line})
    write_merges(learn(sentences, merges, marking="end"), folder / "codes")
    pieces = sentencepiece_model(lines, merges)
    samples = SAMPLES if rate else 1

    def ours(threads):
        words = [line.split(" ") for line in lines]
        if not rate:
            return len(apply(model, words).ids)
        seeds = range(samples)
        drawn = apply_dropout(model, words, rate=rate, seeds=seeds, threads=threads)
        return sum(len(sample.ids) for sample in drawn)

    def hugging_face():
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.model.dropout = rate or None

        def work():
            encoded = (tokenizer.encode_batch_fast(lines) for _ in range(samples))
            return sum(len(sentence.ids) for sample in encoded for sentence in sample)

        return work

    def sentencepiece():
        def work():
            sampling = {"enable_sampling": True, "alpha": rate, "nbest_size": -1} if rate else {}
            # As strings: sentencepiece does not take lines of a kind of its own.
            encoded = (pieces.encode([*map(str, lines)], **sampling) for _ in range(samples))
            return sum(len(sentence) for sample in encoded for sentence in sample)

        return work

    def subword_nmt():
        with open(folder / "codes", encoding="utf-8") as codes:
            bpe = BPE(codes)

        def work():
            encoded = (bpe.process_line(line, rate) for _ in range(samples) for line in lines)
            return sum(line.count(" ") + 1 for line in encoded)

        return work

    contenders = {"ours": lambda: lambda: ours(1)}
    if rate:
        contenders["ours, 2 threads"] = lambda: lambda: ours(2)
    return contenders | {
        "tokenizers": hugging_face,
        "sentencepiece": sentencepiece,
        "subword-nmt": subword_nmt,
    }


def peers(arguments):
    """Time all programs on all texts and print the results."""
    os.environ["TOKENIZERS_PARALLELISM"] = "true"
    print(f"{'':38}{'program':>15}{'wall s':>10}{'CPU s':>10}  results")
    for path in arguments.texts:
        lines, what = Text.of(path, "tsv").read().sentences, path.name[:3]
        for merges in arguments.merges:
            for spaces, unit in ((True, "words"), (False, "no spaces")):
                contenders = learning(lines, merges, spaces)
                race(f"{what}: learn {merges:,}, {unit}", contenders, arguments.runs)
        for rate, how in ((0.0, ""), (RATE, f", dropout, {SAMPLES} times")):
            title = f"{what}: apply {arguments.applied:,}{how}"
            race(title, applying(lines, rate, arguments.applied), arguments.runs)


LEARNERS = {
    "seggrid": """
from seggrid.commands import main
segmenter = "bpe" if kind == "words" else "byte_bpe"
main(["learn", text, "--segmenter", segmenter, "--merges", str(merges), "-o", output])
""",
    "gigabpe": """
from gigabpe import train_tokenizer
train_tokenizer(
    [text], merges + 256, output, min_frequency=2, threads=1,
    pretokenizer="whitespace" if kind == "words" else "bytelevel",
)
""",
    "tokenizers": """
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
tokenizer = Tokenizer(models.BPE())
words = kind == "words"
tokenizer.pre_tokenizer = (
    pre_tokenizers.WhitespaceSplit() if words else pre_tokenizers.ByteLevel(add_prefix_space=True)
)
alphabet = [] if words else pre_tokenizers.ByteLevel.alphabet()
trainer = trainers.BpeTrainer(
    vocab_size=merges + 256, min_frequency=2, initial_alphabet=alphabet, show_progress=False
)
tokenizer.train([text], trainer)
tokenizer.save(output)
""",
    "sentencepiece": """
import sentencepiece
if kind == "bytes":
    sys.exit("no bytes")
sentencepiece.SentencePieceTrainer.train(
    input=text, model_prefix=output, model_type="bpe", vocab_size=merges + 256, character_coverage=1.0,
    input_sentence_size=0, num_threads=1, minloglevel=2, hard_vocab_limit=False,
)
""",
    "rustbpe": """
import rustbpe
if kind == "words":
    sys.exit("no words")
pattern = r"'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"
tokenizer = rustbpe.Tokenizer()
with open(text, encoding="utf-8") as lines:
    tokenizer.train_from_iterator(iter(lines), merges + 256, pattern=pattern)
""",
}
"""What each program runs to learn `merges` of `kind` words or bytes from the file `text`."""


def commands(arguments):
    """Print time and memory of whole processes, and their time without that on a text of a few words."""
    sentences = Text.of(arguments.texts[0], "tsv").read_words().words
    print(f"{'':34}{'program':>15}{'CPU s':>9}{'its work':>10}{'MB':>7}")
    with tempfile.TemporaryDirectory() as folder:
        tiny, text = f"{folder}/tiny", f"{folder}/text"
        Path(tiny).write_text("a tiny tiny text\n" * 3)
        for lines in arguments.lines:
            write_long_text(text, sentences, lines)
            for kind, merges in (("words", 10_000), ("bytes", 32_000)):
                title = f"{lines:,} lines, {merges:,} merges, {kind}"
                times = {}
                for run in range(arguments.runs + 1):
                    for name, code in LEARNERS.items():
                        both = [process(code, one, kind, merges, folder) for one in (text, tiny)]
                        if run and all(both):
                            (cpu, peak), (start, _) = both
                            times.setdefault(name, []).append((cpu, cpu - start, peak))
                for name, (cpu, own, peak) in medians(times).items():
                    print(f"{title:34}{name:>15}{cpu:9.2f}{own:10.2f}{peak:7.0f}", flush=True)
                    title = ""


def write_long_text(path, sentences, lines):
    """Write the text; return its number of distinct words."""
    text = long_text(sentences, lines)
    Path(path).write_text("".join(" ".join(words) + "\n" for words in text), "utf-8")
    return len({word for words in text for word in words})


def process(code, text, kind, merges, folder):
    """CPU time and peak memory in MB of a program; None if it is not installed or cannot do this."""
    given = f"import sys\ntext, kind, merges, output = {text!r}, {kind!r}, {merges}, {folder + '/model'!r}"
    # What the kernel says to the parent counts the memory of the parent, too.
    peak = "\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    threads = {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    run = partial(subprocess.run, [sys.executable, "-c", given + code + peak], capture_output=True)
    done, _, cpu = timed(partial(run, env=os.environ | threads, text=True))
    return None if done.returncode else (cpu, int(done.stdout.split()[-2]) / 1e3)


SEGMENT = """
from seggrid.commands import main
main(["segment", text, "-m", output, "-o", output + "-tokens"])
"""


def growth(arguments):
    """Print time and memory of the commands that learn 32,000 merges from growing text, and cut it."""
    works = {"learn": LEARNERS["seggrid"], "segment": SEGMENT}
    print(f"{'lines':>10}{'types':>10}" + "".join(f"{verb + ', s':>12}{'MB':>7}" for verb in works))
    sentences = Text.of(arguments.texts[0], "tsv").read_words().words
    with tempfile.TemporaryDirectory() as folder:
        for number in arguments.lines:
            types = write_long_text(f"{folder}/text", sentences, number)
            row = f"{number:>10,}{types:>10,}"
            for code in works.values():
                cpu, peak = process(code, f"{folder}/text", "words", 32_000, folder)
                row += f"{cpu:12.1f}{peak:7.0f}"
            print(row, flush=True)


def main():
    """Run one of the benchmarks."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(required=True)
    for work in (peers, commands, growth):
        command = verbs.add_parser(work.__name__, help=work.__doc__)
        command.add_argument("texts", type=Path, nargs="+", help="`id<TAB>sentence`")
        command.set_defaults(work=work)
        if work is not growth:
            command.add_argument("--runs", type=int, default=5, help="timed runs of each (5)")
        if work is peers:
            sizes = [10_000, 20_000]
            command.add_argument("--merges", type=int, nargs="+", default=sizes, help="learned")
            command.add_argument("--applied", type=int, default=8_000, help="merges (8,000)")
        else:
            sizes = [10_508, 200_000, 1_000_000]
            command.add_argument("--lines", type=int, nargs="+", default=sizes, help="lines")
    arguments = parser.parse_args()
    arguments.work(arguments)


if __name__ == "__main__":
    main()
