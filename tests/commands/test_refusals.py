"""What commands refuse, in one line that says why, before any work and without changing a file."""

import os
import shlex

import pytest

import builtin_pair
from seggrid.commands import main
from seggrid.segment.bpe.model import BPEModel

MERGES = [("e", "r</w>"), ("l", "o"), ("lo", "w"), ("lo", "w</w>"), ("n", "e"), ("ne", "w")]
MADE = """
learn eng --merges 30 -o model
learn eng --merges 30 --spaces hidden -o hidden
learn eng --merges 20 --spaces no -o across
learn eng --segmenter unigram --merges 40 -o pieces
learn eng --segmenter wordpiece --merges 60 -o wordpiece
learn eng --segmenter boundless --merges 20 -o boundless
learn eng --segmenter picky --merges 20 -o picky
learn eng --segmenter greedtok --merges 20 -o greedtok
learn eng --segmenter superbpe --merges 20 -o superbpe
convert model --marking start --to merges -o merges
align eng deu --recipe words-fast_align --keep kept -o links
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of all kinds that commands read, right and wrong ones."""
    folder = tmp_path_factory.mktemp("refusals")
    builtin_pair.write_pair(folder, 40)
    gold = (folder / "gold").read_text().splitlines()
    links = [[link.replace("p", "-").split("-") for link in line.split()] for line in gold]
    files = {
        "far": "0-999999999\n",
        "outside": "0p0 99-99\n" + "0p0\n" * 39,
        "from-one": "".join(
            " ".join(f"{int(i) + 1}-{int(j) + 1}" for i, j in row) + "\n" for row in links
        ),
        "empty": "\n" + "a\n" * 39,
        "own.yaml": "description: x\ncell: {aligner: fast_align}\n",
        "vote.yaml": "vote: [{merges: 5, aligner: [gibbs, eflomal]}]\n",
        "t.json": "{}",
        "json": "{}",
        "mine.json": '{\n  "version": "1.0"\n}\n',
        "ranks.tiktoken": "IQ== 0\n",
        "ranks.json": "IQ== 0\r\n",
        "marked": "▁a\n" + "a\n" * 39,
        "short": "1\t2\t3\t4\n",
        "one-line": "0-0\n",
        "nothing-but": "\n \n",
        "forward": "0-2 1-0 2-1\n0-0 1-2 1-1\n",
        "turned": "2-0 0-1 0-2\n0-0 2-1 2-2\n",
        "late": "#version: 0.2\nt h\nth e</w>\n",
        "early": "#version: 0.2\nĠ t\nh e\n",
        "celex": "".join(f"{word}\t({word})[N]\n" for word in ("library", "librarian", "Haus", "baecker")),
    }  # fmt: skip
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    odd = {
        "dropped": BPEModel(MERGES, marking="end", dropout=0.1),
        "weighted": BPEModel(MERGES, marking="end", weights=(1.0,) * 6),
        "control": BPEModel([("a\x85", "b")], marking="end"),
        "three": BPEModel([("a", "b", "c")], marking="end"),
    }
    for name, model in odd.items():
        model.write(folder / name)
    (folder / "mine").mkdir()
    for name in ("mine/recipe.yaml", "mine/eng", "mine/thesis.tex", "pair.en", "pair.de"):
        (folder / name).write_bytes((folder / "eng").read_bytes())
    os.symlink("loop", folder / "loop")
    os.symlink("eng", folder / "linked")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for command in MADE.strip().splitlines():
            assert main([*command.split(), "--quiet"]) == 0
        (folder / "pruned.model").write_bytes((folder / "model").read_bytes())
    return folder


COMMANDS = [
    ("algin a b", "error: there is no command 'algin' (did you mean align?)"),
    ("xyz", "seggrid --help lists them"),
    ("segment eng --merges -1", "-1 is not within 0 to"),
    ("segment eng --samples 0", "0 is not within 1 to 100000"),
    ("prune model --text short -o p", "is `id<TAB>sentence`, or take the ids away (`cut -f 2 FILE`)"),
    (f"segment eng --seed {'9' * 4400}", "is not a whole number"),
    ("score eng deu --resamples 99999999999", "is not within 1 to 100000"),
    ("symmetrize a b --heuristic union", "error: unrecognized arguments: --heuristic union (seggrid symmetr"),
    ("symmetrize a b --symetrization=union", "--symetrization=union: did you mean --symmetrization? (seggri"),
    ("symmetrize a b --symmetrization x", "argument --symmetrization: invalid choice: 'x'"),
    ("align eng deu --format column", "invalid choice: 'column' (did you mean columns? Choose from 'lines'"),
    ("align eng deu --set gibbs.samplers=010", "samplers: '010' is not a whole number (write it without"),
    ("align eng deu --merges 5 --merges 6", ": given twice (seggrid align --help"),
    ("align eng deu --merges=5 --merg 5", ": given twice (seggrid align --help"),
    ("segment eng -o a --output b", ": given twice (seggrid segment --help"),
    ("learn eng --segmenter bpe --segmenter bpe", ": given twice (seggrid learn --help"),
    ("filter eng deu --longest 3 --outputs a b --longest 3", ": given twice (seggrid filter --help"),
    ("align eng deu --set gibbs.samplers=1 --set gibbs.samplers=2", "--set gibbs.samplers twice (leave one"),
    # An empty value.
    ("align eng deu --recipe ''", "error: --recipe: an empty value (an unset variable?"),
    ("align eng deu --models ''", "error: --models: an empty value"),
    ("align eng deu --keep=''", "error: --keep: an empty value"),
    ("align eng deu --training eng ''", "error: --training: an empty value"),
    ("align eng deu --name ''", "error: --name: an empty value"),
    ("segment '' -m model", "error: text: an empty value"),
    ("segment eng -m model -o ''", "error: --output: an empty value"),
    ("tree model house ''", "error: WORD: an empty value"),
    ("new ''", "error: FOLDER: an empty value"),
    ("plan ''", "error: CONFIG: an empty value"),
    ("run ''", "error: CONFIG: an empty value"),
]  # fmt: skip

# Options that the segmenter, the recipe or the kind of text does not read, or that contradict one another.
IGNORED = [
    ("segment eng -m model --sampling alpha-0.1", "error: bpe cannot be sampled by alpha (only unigram"),
    ("segment eng --segmenter words --dropout 0.5", "error: --dropout: words would ignore it (leave"),
    ("segment eng -m model --spaces no", "model: learned with spaces: yes"),
    ("segment eng -m hidden", "hidden: learned with spaces: hidden"),
    ("segment eng -m hidden --spaces no", "learned with spaces"),
    ("segment eng --segmenter unigram -m pieces --merges 5", "pieces: 40 types, and the"),
    ("segment ~no-such-user/x --segmenter words", "~no-such-user/x: no such file"),
    ("segment eng --as nonsense", "is not a segmentation of a grid"),
    ("segment eng --as p/source/words+cased=lower", "is not a segmentation of a grid"),
    ("segment eng --as p/left/words", "is not a segmentation of a grid"),
    ("segment eng --as p/source/nothing+case=lower", "is not a segmentation of a grid"),
    ("segment eng --as p/source/words+case=lower --case=lower", "--case together with --as"),
    ("measure eng -m model --pos noun", "error: --pos: bpe would ignore it"),
    ("segment eng --segmenter lexical --zscore 2", "unrecognized arguments: --zscore 2"),
    ("measure eng --segmenter words --size 2", "--size 2, but "),
    ("learn eng --segmenter unigram --scoring likelihood -o m", "error: --scoring: unigram would"),
    ("learn eng --marking end -o m --spaces no", "--marking end is for"),
    ("learn eng --marking end -o m --vocabulary 90", "--marking end is for"),
    ("learn eng --segmenter unigram --marking end -o m", "only bpe reads it"),
    ("learn eng --segmenter unigram --from model -o m", "after with unigram (only bpe reads it"),
    ("learn eng --spaces no --morphemes morphemes -o m", "morphemes are of words"),
    ("learn eng --from pieces -o m", "learning goes on from a bpe alone"),
    ("learn eng --from hidden -o m", "hidden: learned with spaces: hidden"),
    ("learn eng --from dropped -o m", "learning cannot go on from a pruned model"),
    ("learn eng --from three -o m", "learning cannot go on from a pruned model"),
    ("learn eng --from model --merges 29 -o m", "the model has 30 merges already, and 29 are asked for"),
    ("learn eng --from model --scoring likelihood -o m", "the scoring likelihood, where learning goes on"),
    ("learn eng --from model --marking end -o m", "the marking end, where learning goes on from a model"),
    ("learn eng --segmenter bilingual --merges 9 -o m", "seggrid align"),
    ("learn eng --segmenter unigram --min-frequency 2 -o m", "min_frequency with unigram"),
    ("learn eng --merges 3 --vocabulary 90 -o m", "--merges together with"),
    ("align eng deu --codes en de", "error: --codes are for tmx and moses (leave them out, or say"),
    ("align eng deu --merges 5 --vocabulary 90", "--merges together with --vocabulary"),
    ("align eng deu --models kept --recipe words", "give --models alone"),
    ("align empty deu", "skip such pairs (empty_lines: skip for the pair, --empty-lines skip)"),
    ("align eng deu --recipe words --merges 5", "error: options: merges: words would ignore it (leave it"),
    ("align eng deu --aligner gibbs --layer 3", "error: options: layer: gibbs would ignore it (leave it out"),
    ("align eng deu --aligner fast_align --aggregate posterior-0.4", "error: options: aggregate:"),
    ("align eng deu --recipe vote-small --merges 5", "error: merges together with a vote, whose cells have"),
    ("align eng deu --recipe vote.yaml --keep new", "error: eflomal keeps no model (use the aligner"),
    ("align eng deu --recipe vote-small --tokenizer t.json", "error: a tokenizer together with a vote"),
    ("align eng deu --set samplers=1", "write it as gibbs.samplers=1"),
    ("align eng deu --aligner eflomal --scores s", "gives no scores of sentence pairs"),
    ("align eng deu --priors kept/recipe.yaml --keep new", "--priors together with --keep"),
    ("align eng deu --recipe words-fast_align --priors kept/recipe.yaml", "fast_align takes no priors"),
    ("align marked deu", "▁ (U+2581) in the text"),
    ("align eng deu --tokenizer t.json --segmenter words", "a segmenter together with a tokenizer"),
    ("align eng deu --tokenizer eng", "eng: no tokenizer that is known by its content (a tok"),
    ("align eng deu --tokenizer json", "json: not a tokenizer.json"),
    ("align eng deu --tokenizer ranks.json", "ranks.json: no type for the byte"),
    ("measure eng -m ranks.tiktoken", "ranks.tiktoken: no type for the byte"),
    ("filter eng deu --unaligned 0.5", "unaligned words needs links (give the links (--links)"),
    ("filter eng deu --least-score -3", "a least score needs scores"),
    ("filter eng deu --scores links", "links:1: not four numbers"),
    ("filter eng deu --scores short --least-score -3", "40 source sentences and 1 of scores"),
    ("filter eng deu -o x --outputs y z", "--output together with --outputs"),
    ("learn nothing-but --empty-lines skip -o m", "error: nothing-but: no line has a word"),
    ("measure eng --segmenter words --against words model", "--against words: no kind of tokenizer"),
    ("measure eng -m mine.json", "mine.json: not a tokenizer.json"),
    ("symmetrize forward one-line", "one-line: 1 lines of links, but forward has 2"),
    ("symmetrize forward turned", "error: turned: 2 links in common with forward, and 4 if one of the two"),
    ("symmetrize far far", "far:1: the link 0-999999999: position 999999999 is in no sentence"),
    ("recommend eng deu --gold outside --bad-links drop -o r", "every sure link lies outside"),
    ("recommend eng deu --gold from-one --bad-links drop -o r", "no link of 40 sentences uses"),
    ("recommend eng deu --gold outside -o r", "outside:1: a link from word 99 to word 99 in sentence"),
]  # fmt: skip

FILES = [
    ("learn eng -o .", "error: .: Is a directory"),
    ("learn eng -o eng/m", "eng/m: cannot be written: "),
    ("segment eng -m model -o /dev/full", "error: /dev/full: cannot be written: No space left"),
    ("segment eng -m model -o eng", "eng: --output eng would change this input"),
    ("segment eng -m model -o linked", "eng: --output linked would change"),
    ("segment eng -m model -o ./model", "model: --output ./model would change"),
    ("align eng deu --keep eng", "eng: --keep eng would change this input"),
    ("align eng deu --keep eng/k", "eng: --keep eng/k would change this input"),
    ("align eng deu --keep /proc/k", "/proc/k: cannot be written: "),
    ("align eng deu --probabilities eng/p", "eng/p: cannot be written: "),
    ("align eng deu -o mine", "mine: Is a directory"),
    ("align eng deu -o loop", "loop: cannot be written: Too many levels of symbolic links"),
    ("align eng deu --keep mine", "mine: the folder would be replaced, and eng in it is not"),
    ("align mine/eng deu --keep mine", "mine/eng: --keep mine would change this input"),
    ("align eng deu -o new/links --keep new", "new: --output and --keep are one file, or one is"),
    ("align eng deu --keep new --probabilities new/a/p", "--probabilities and --keep are one file, or one"),
    ("align eng deu --keep kept --recipe kept/recipe.yaml", "kept/recipe.yaml: --keep kept would change"),
    ("align eng deu --recipe own.yaml -o own.yaml", "own.yaml: --output own.yaml would change this input"),
    ("align eng deu --models kept -o kept/recipe.yaml", "kept: --output kept/recipe.yaml would change"),
    ("align eng deu --models kept -o kept/links", "kept: --output kept/links would change"),
    ("align eng deu --training eng deu --training gold model -o model", "model: --output model would"),
    ("align eng deu -o new --probabilities new", "new: --output and --probabilities are one"),
    ("align eng deu -o new --keep ./new", "./new: --output and --keep are one file"),
    ("align pair --format moses --codes en de -o pair.en", "pair.en: --output pair.en would"),
    ("align - - --recipe words", "standard input twice"),
    ("align - deu --training - deu", "standard input twice"),
    ("score links gold -o links", "links: --output links would change"),
    ("recommend eng deu -o eng/r", "eng/r: cannot be written: "),
    ("prune pruned.model --knockout random-0.5 --folder .", "pruned.model: --folder ."),
    ("prune model --knockout random-0.5 --text eng -o D/m --folder D", "D: --output and --folder are one fi"),
    ("prune model --knockout random-0.5 --text eng --folder mine", "mine: the folder would be"),
    ("prune model --knockout random-0.5 --folder D", "characters that are in no merge would"),
    ("prune model --knockout trim-5 -o m", "give a text"),
]  # fmt: skip

# What the program for which a model is written could not say, or would read in another way.
MODELS = [
    ("convert -o out model --to merges", "marks words by ## where they continue, not as --marking end"),
    ("convert -o out model --to merges --marking end", "subword-nmt reads </w> alone: give --marking start"),
    ("convert -o out model --to tokenizer --marking end --text eng", "--marking says how a merges.txt"),
    ("convert -o out model --to vocabulary --application left", "--application says how a tokenizer cuts wo"),
    ("convert -o out model --to tokenizer", "would become <unk> (give the"),
    ("convert -o out model --to vocabulary", "would become <unk> (give the"),
    ("convert -o out dropped --to merges", "the rate of dropout 0.1, which"),
    ("convert -o out weighted --to tokenizer --text eng", "weights of merges in"),
    ("convert -o out control --to merges", "a control character in the merge"),
    ("convert -o out across --to merges", "merges across words, which a"),
    ("convert -o out across --to tokenizer --text eng --application left", "for the vocabulary of merges wi"),
    ("convert -o out three --to merges", "do not know the merge 'a b c'"),
    ("convert -o out hidden --to tokenizer --text eng", "(spaces: hidden)"),
    ("convert -o out hidden --to vocabulary --text eng", "(spaces: hidden)"),
    ("convert -o out hidden --to merges --text eng", "(spaces: hidden)"),
    ("convert -o out boundless --to tokenizer --text eng", "merges of whole words only, which a tokenizer.j"),
    ("convert -o out picky --to tokenizer --text eng", "a model of picky, which is no list of merges"),
    ("convert -o out greedtok --to tokenizer --text eng", "a model of greedtok, which is no list"),
    ("convert -o out superbpe --to tokenizer --text eng --application left", "a model of superbpe, which is"),
    ("convert -o out wordpiece --to merges", "a model of wordpiece, which is no list of"),
    ("segment eng -m wordpiece --segmenter bpe", "a model of wordpiece, not of bpe"),
    ("prune wordpiece -o out", "a model of wordpiece, not of bpe"),
    ("tree wordpiece a", "a model of wordpiece, not of bpe"),
    ("convert -o out merges --to model", "merges:2: the merge '##h ##e', which marks words otherwise"),
    ("convert -o out late --marking start --to model", "late:3: the merge 'th e</w>', which marks words oth"),
    ("convert -o out late --marking own --to model", "late:3: the merge 'th e</w>', which marks words other"),
    ("convert -o out early --to model", "early: merges over bytes (give merges of characters, or"),
    ("tree ranks.tiktoken a", "ranks.tiktoken: ranks of tiktoken ("),
    # Words whose trees are asked for.
    ("tree model", "nothing to show"),
    ("tree model house -o tree.gif", "no kind of picture"),
    ("tree model 'red house'", "'red house' is not a word (give words one by one, without spaces"),
    ("tree model a\x07b", "is not a word (give words one by one"),
    ("tree model libraries --morphemes celex", "no analysis of 'libraries' (CELEX has lemmas: librarian, li"),
    ("tree model Library --morphemes celex", "(CELEX has it in lower case: library)"),
    ("tree model haus --morphemes celex", "(CELEX has it capitalized: Haus)"),
    ("tree model bäcker --morphemes celex", "(CELEX has it transcribed: baecker)"),
    ("tree model zebra --morphemes celex", "(CELEX has lemmas alone)"),
]  # fmt: skip


def contents(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


@pytest.mark.parametrize(("command", "said"), [*COMMANDS, *IGNORED, *FILES, *MODELS])
def test_a_refusal_is_one_line_and_changes_no_file(folder, monkeypatch, capsys, command, said):
    monkeypatch.chdir(folder)
    monkeypatch.setattr("seggrid.commands.aligner.align_cell", lambda *_, **__: pytest.fail("late"))
    before = contents(folder)
    try:
        status = main(shlex.split(command))
    except SystemExit as end:
        status = end.code
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    assert said in err
    assert err.count("\n") == 1
    assert len(err) < 900
    assert contents(folder) == before
