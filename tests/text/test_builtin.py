"""The built-in pair is the published one, so that its files need no other test."""

import hashlib

import builtin_pair

DIGESTS = {
    "eng.txt": "32d842509befa9152cdfbdaba3f03d9bde90a6158920f8ecaa5bf73b3ff9700c",
    "deu.txt": "d8df0f25e47760faf69abe2fa73a21855a3cc19de786475d41ead82aca8c2d46",
    "gold.txt": "1d255062908f1cdacf443ac813b6e601193da969b6c9b5410eff7ec5c4aae545",
    "eng.morphemes.tsv": "f9f2916c421124df1a34b397597a979a29cc3de1f0646a90ea70e289adf84b16",
    "deu.morphemes.tsv": "fef23db132244236727df4d7319775abd73c34807154ae55ba89cae660eaf5c8",
}


def test_the_files_are_those_that_figures_were_measured_on():
    found = {
        name: hashlib.sha256((builtin_pair.FOLDER / name).read_bytes()).hexdigest()
        for name in DIGESTS
    }
    assert found == DIGESTS
