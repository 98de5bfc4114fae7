"""The probes that are made from a text, and the credit of an item, by their definitions."""

from fractions import Fraction


def letters(word):
    return sum(character.isalpha() for character in word) > 0


def swapped(words, at):
    copy = list(words)
    copy[at], copy[at + 1] = copy[at + 1], copy[at]
    return tuple(copy)


def word_order(train, test):
    items = []
    for k, words in enumerate(test):
        other = [
            swapped(words, at)
            for at in range(len(words) - 1)
            if at > 0 and letters(words[at]) and letters(words[at + 1])
        ]
        other = [sentence for sentence in other if sentence != tuple(words)]
        if other:
            items.append((tuple(words), other[k % len(other)]))
    return items


def word_identity(train, test, least):
    text = [word for words in train for word in words]
    types = sorted(set(text))
    items = []
    for k, words in enumerate(test):
        choices = []
        for at in range(1, len(words)):
            word = words[at]
            others = [
                other
                for other in types
                if other != word
                and text.count(other) == text.count(word)
                and len(other) == len(word)
                and letters(other)
            ]
            if text.count(word) >= least and letters(word) and others:
                choices.append((at, others))
        if choices:
            at, others = choices[k % len(choices)]
            sentence = [*words[:at], others[k % len(others)], *words[at + 1 :]]
            items.append((tuple(words), tuple(sentence)))
    return items


def credits(pll, counts, tie):
    found, first = [], 0
    for count in counts:
        own = [float(value) for value in pll[first : first + count]]
        first += count
        best = [place for place, value in enumerate(own) if value >= max(own) - tie]
        found.append(float(Fraction(1, len(best))) if 0 in best else 0.0)
    return found
