"""`seggrid tag`: a text whose words are annotated with their parts of speech."""

from __future__ import annotations

from typing import Annotated

from seggrid.base.parameters import Choices, Help, Output, checked
from seggrid.commands.options import TextFile, progress, read_filled, write_output_lines
from seggrid.commands.texts import Texts, words_in
from seggrid.text import tagger
from seggrid.text.parameters import TextTagged
from seggrid.text.pos import LANGUAGES, tagged
from seggrid.text.selection import laid_out

Language = Annotated[str, Choices(LANGUAGES), Help()]


@checked
def tag(text: Texts, language: Language) -> list[list[str]]:
    """The words of each sentence with their tags and parts of speech, as `seggrid tag` writes them: what
    `lexical` learns and cuts. Words must have their original case, as in the text; the tagger is HanTa.

    Args:
        text: S sentences, or a path, as for `seggrid.align`.
        language: a language that the tagger knows.
    """
    sentences = words_in(text)
    return tagged(sentences, tagger.tag_words(sentences, language), language)


def command(
    text: TextFile,
    /,
    *,
    language: Language,
    treated: TextTagged,
    output: Annotated[Output, Help("the tagged text")],
) -> None:
    """Tag and write."""
    sentences, filled = read_filled(text, treated)
    progress(f"tagging {len(sentences):,} sentences")
    lines = map(" ".join, tagged(sentences, tagger.tag_words(sentences, language), language))
    write_output_lines(output, laid_out(lines, filled))
