"""Whether a `tokenizer.json` cuts each word without regard to the others, see `seggrid.segment.by_word`.

This is decided by what the file holds: its normalizers must treat a character without regard to what is
beyond a space, and its pre-tokenizers must cut at each space, or merges must not cross one. A file of which
this is not known is not local, so that its library gets whole sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from seggrid.segment.byte_level import GPT2
from seggrid.segment.formats.ranks import PATTERNS
from seggrid.text.boundary import BOUNDARY

_SPACE = {"String": " "}
_SPACES = {"Regex": " {2,}"}
_NORMALIZERS = {
    *("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "BertNormalizer", "Precompiled"),
    *("Prepend", "Strip"),
}
_DROPPING = {"BertPreTokenizer", "Whitespace", "WhitespaceSplit"}
"""Pre-tokenizers that cut at spaces, and take these away."""
_WITHIN = {"Digits", "Punctuation"}
"""Pre-tokenizers that look at one character, or at a run of characters that are no spaces."""
_REGEXES = {
    pattern.replace(r"\p{N}{1,3}", digits).replace("'(?:[sdmt]|ll|ve|re)", endings)
    for pattern in PATTERNS.values()
    for digits in (r"\p{N}{1,3}", r"\p{N}")
    for endings in ("'(?:[sdmt]|ll|ve|re)", "'s|'t|'re|'ve|'m|'ll|'d")
}
"""Regular expressions that match a space only before other characters, or spaces alone."""


def parts_of(component: Any) -> Iterator[Mapping[str, Any]]:
    """The component of a tokenizer.json; if it is a sequence, its members."""
    if not isinstance(component, dict):
        return
    keys = ("pretokenizers", "normalizers", "decoders")
    inner = next((component[key] for key in keys if component.get(key)), None)
    if component.get("type") == "Sequence" and isinstance(inner, list):
        for part in inner:
            yield from parts_of(part)
    else:
        yield component


def is_local(content: Mapping[str, Any], types: Sequence[str]) -> bool:
    """Whether the tokenizer of this content and these types is local."""
    added = (str(one["content"]) for one in content.get("added_tokens") or [])
    if any(set(text.strip(f" {BOUNDARY}")) & {" ", BOUNDARY} for text in added):
        return False
    normalizers = list(parts_of(content.get("normalizer")))
    marked = any(mark_of_spaces(part) == BOUNDARY for part in normalizers)
    for part in normalizers:
        keeps = part.get("type") in _NORMALIZERS or part.get("pattern") == _SPACES
        if not keeps and mark_of_spaces(part) != BOUNDARY:
            return False
    cuts = list(parts_of(content.get("pre_tokenizer")))
    if marked:
        # No space is left at which these cut.
        cuts = [cut for cut in cuts if cut.get("pattern") != _SPACE]
    first = next((cut for cut in cuts if cut.get("type") not in _WITHIN), {"type": None})
    is_removed = first.get("pattern") == _SPACE and first.get("behavior") == "Removed"
    if first["type"] in _DROPPING or (is_removed and not first.get("invert")):
        return not marked
    # It may put spaces beside spaces.
    if any(part.get("type") == "BertNormalizer" for part in normalizers):
        return False
    if first["type"] == "Metaspace" and first.get("split", True):
        return True
    if first["type"] == "Metaspace" or (marked and not cuts):
        whole = cuts in ([], [first]) and first.get("replacement", BOUNDARY) == BOUNDARY
        return whole and _merges_within_words(content["model"], types)
    by_pattern = first["type"] == "ByteLevel" and bool(first.get("use_regex", True))
    return not marked and (by_pattern or _cuts_at_spaces(first))


def pattern_of(content: Mapping[str, Any]) -> tuple[str, str] | None:
    """The regular expression whose matches are the pretokens of a local tokenizer over bytes, and what it
    puts before a text; None if a text is changed, or divided by anything else."""
    *splits, last = list(parts_of(content.get("pre_tokenizer"))) or [{}]
    if content.get("normalizer") or last.get("type") != "ByteLevel" or len(splits) > 1:
        return None
    uses_own, prefix = last.get("use_regex", True), " " * bool(last.get("add_prefix_space"))
    if uses_own:
        return None if splits else (GPT2, prefix)
    is_whole = splits and _cuts_at_spaces(splits[0]) and "Regex" in splits[0]["pattern"]
    return (splits[0]["pattern"]["Regex"], "") if is_whole and not prefix else None


def mark_of_spaces(part: Mapping[str, Any]) -> str:
    """What a normalizer or a pre-tokenizer makes of each space; empty if it makes nothing of them."""
    if part.get("type") == "Replace" and part.get("pattern") == _SPACE:
        return str(part.get("content", ""))
    return str(part.get("replacement", BOUNDARY)) if part.get("type") == "Metaspace" else ""


def _cuts_at_spaces(cut: Mapping[str, Any]) -> bool:
    """Whether a pre-tokenizer is a `Split` that cuts before each space."""
    if cut.get("type") != "Split":
        return False
    pattern, how = cut.get("pattern") or {}, (cut.get("behavior"), bool(cut.get("invert")))
    if pattern == _SPACE:
        return how in (("Isolated", False), ("MergedWithNext", False))
    return pattern.get("Regex") in _REGEXES and how in (("Isolated", False), ("Removed", True))


def _merges_within_words(model: Mapping[str, Any], types: Sequence[str]) -> bool:
    """Whether a BPE of whole sentences, with `▁` for spaces, has no type with parts of two words."""
    looks_up = ("ignore_merges", "continuing_subword_prefix", "end_of_word_suffix")
    return (
        model.get("type", "BPE") == "BPE"
        and not any(map(model.get, looks_up))
        # Unknown characters on both sides of an unknown space could become one token.
        and BOUNDARY in model["vocab"]
        and not any(BOUNDARY in text.lstrip(BOUNDARY) for text in types)
    )
