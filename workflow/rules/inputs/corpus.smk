"""Inputs and parameters of the rules in ../corpus.smk."""


def text_files(wc):
    return ancient(FILES.text_files(wc.pair, wc.side))


def lines_that_stay(wc):
    chosen = parse_spec(wc.spec).sentences is not None
    return [path("gold_lines", pair=wc.pair)] if chosen else []


def gold_files(wc):
    return ancient(FILES.gold(wc.pair))


# The text with the ids that the gold uses; both texts, if links outside sentences are left out.
def gold_texts(wc):
    return ancient(FILES.gold_text_files(wc.pair))
