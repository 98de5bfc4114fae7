"""The tagger of parts of speech, HanTa (Wartena 2019), apart from the rest, since jobs of grids that read
tags must not depend on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seggrid.base.extras import check_installed
from seggrid.text.pos import Tags, check_language

_MODELS = {
    "German": "morphmodel_ger.pgz",
    "English": "morphmodel_en.pgz",
    "Dutch": "morphmodel_dutch.pgz",
}


def check_tagger(user: str = "the tagger", instead: str = "use the segmenter wordmap") -> None:
    """Check that the tagger is installed, which `user` needs."""
    check_installed("lexical", user=user, instead=instead)


def tag_words(sentences: Sequence[Sequence[str]], language: str) -> Tags:
    """The tagger's tag of every word. Words have their original case, since capitals distinguish German
    nouns."""
    check_language(language)
    check_tagger()
    import HanTa
    from HanTa.HanoverTagger import HanoverTagger

    # By its full path: a mere name is first looked for in the working folder, and that file would be
    # unpickled.
    tagger = HanoverTagger(str(Path(HanTa.__file__).parent / _MODELS[language]))
    return [[tag_words for _, _, tag_words in tagger.tag_sent(list(words))] for words in sentences]
