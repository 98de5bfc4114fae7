"""`seggrid tag`: the parts of speech of the words of a text."""

from __future__ import annotations

from typing import Annotated

from seggrid.base.parameters import Choices, Help, Output, checked
from seggrid.commands.options import TextFile, progress, read_sentences
from seggrid.commands.texts import Texts, words_in
from seggrid.text import tagger
from seggrid.text.parameters import TextTagged
from seggrid.text.pos import LANGUAGES, Tags, part_of_speech, write_tags

Language = Annotated[str, Choices(LANGUAGES), Help()]


@checked
def tag(text: Texts, language: Language) -> Tags:
    """The parts of speech of the words of each sentence, as `seggrid tag` writes them: `tags` of
    `seggrid.Segmenter`. Words must have their original case, as in the text; the tagger is HanTa.

    Args:
        text: S sentences, or a path, as for `seggrid.align`.
        language: a language that the tagger knows.
    """
    tagged = tagger.tag_words(words_in(text), language)
    return [[part_of_speech(one, language) for one in words] for words in tagged]


def command(
    text: TextFile,
    /,
    *,
    language: Language,
    treated: TextTagged,
    output: Annotated[Output, Help("the tagged text")],
) -> None:
    """Tag and write."""
    sentences = read_sentences(text, treated)
    progress(f"tagging {len(sentences):,} sentences")
    write_tags(output, sentences, tagger.tag_words(sentences, language), language)
