"""Labels at first tokens, by their definition."""


def first_tokens(sentences):
    """For each word, the position of its first token among all tokens, or -1.

    Args:
        sentences: of each, its tokens as (first word, last word), and its number of words.
    """
    found, before = [], 0
    for tokens, words in sentences:
        for word in range(words):
            own = [at for at, (first, last) in enumerate(tokens) if first <= last and first == word]
            found.append(before + own[0] if own else -1)
        before += len(tokens)
    return found
