"""The hand-made lexicon in `lexicon/*.tsv`, read into entries.

In the files `|` stands between morphs, `+` behind a prefix that German separates, and an empty
field for what the rules of inflection give.
"""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pair import english, german
from pair.draw import Weighted, ranked

Morphs = tuple[str, ...]
Words = tuple[Morphs, ...]
_SIZE = 2  # in the order of adjectives; much bread is not big
FOLDER = Path(__file__).parent.parent / "lexicon"


@dataclass(frozen=True)
class NounEntry:
    """A noun; an English compound has several words where the German one has a single word."""

    english: Words
    english_plural: Words | None
    german: german.Noun
    tags: frozenset[str]
    location: tuple[str, str] | None  # prepositions for being there: (in, in)
    direction: tuple[str, str, str] | None  # for going there, with the case: (to, zu, dat)

    @property
    def sex(self) -> Literal["m", "f"] | None:
        """The English pronoun for a person, if the noun determines it."""
        if "person" not in self.tags or self.german.singular[-1].lower() == "kind":
            return None
        return "f" if self.german.gender in ("f", "n") else "m"


@dataclass(frozen=True)
class VerbEntry:
    """A verb with its frame: its complements, and their classes of nouns."""

    english: Words  # the verb, then its particles
    past: Morphs
    participle: Morphs
    german: german.Verb
    frame: str
    subject: tuple[str, ...]
    object: tuple[str, ...]
    english_preposition: Words
    german_preposition: tuple[str, german.Case] | None
    flags: frozenset[str]


@dataclass(frozen=True)
class AdjectiveEntry:
    """An adjective; a degree that it does not have is None."""

    english: Morphs
    english_comparative: Morphs | None  # None: with more
    english_superlative: Morphs | None  # None: with most
    german: Morphs
    stem: Morphs
    german_comparative: Morphs | None
    german_superlative: Morphs | None
    tags: frozenset[str]
    order: int  # place among several adjectives: opinion 1, size 2, quality 3, age 4, color 5


@dataclass(frozen=True)
class Adverbial:
    """A fixed phrase with its own alignment."""

    english: Words
    german: Words
    links: tuple[tuple[int, int, bool], ...]


class Lexicon:
    """All entries, each kind ordered from common to rare."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.nouns = [_noun(row) for row in _rows(folder / "nouns.tsv")]
        heads = {"".join(noun.german.singular): noun for noun in self.nouns}
        self.compounds = [
            _compound(_words(row["english"]), _morphs(row["german"]), heads[row["head"]])
            for row in _rows(folder / "compounds.tsv")
        ]
        self.verbs = [_verb(row) for row in _rows(folder / "verbs.tsv")]
        self.adjectives = [_adjective(row) for row in _rows(folder / "adjectives.tsv")]
        self.adverbials: dict[str, Weighted[Adverbial]] = {}
        rows = _rows(folder / "adverbials.tsv")
        for kind in dict.fromkeys(row["kind"] for row in rows):
            entries = [_adverbial(row) for row in rows if row["kind"] == kind]
            self.adverbials[kind] = ranked(entries)
        self.names: dict[str, Weighted[tuple[Morphs, Morphs]]] = {}
        rows = _rows(folder / "names.tsv")
        for kind in dict.fromkeys(row["kind"] for row in rows):
            names = [
                (_morphs(r["english"]), _morphs(r["german"])) for r in rows if r["kind"] == kind
            ]
            self.names[kind] = ranked(names)
        self._pools: dict[tuple, Weighted] = {}

    def nouns_of(self, tags: tuple[str, ...], compounds: bool) -> Weighted[NounEntry]:
        """The nouns (simple or compound) that have one of some tags, by rank in their class."""
        key = ("noun", tags, compounds)
        if key not in self._pools:
            nouns = self.compounds if compounds else self.nouns
            self._pools[key] = ranked(_by_rank_in_class(nouns, set(tags)))
        return self._pools[key]

    def verbs_of(self, frame: str, subject: frozenset[str] | None = None) -> Weighted[VerbEntry]:
        """The verbs of a frame that a subject with the given tags can have."""
        key = ("verb", frame, subject)
        if key not in self._pools:
            self._pools[key] = ranked(
                [
                    verb
                    for verb in self.verbs
                    if verb.frame == frame and (subject is None or subject & set(verb.subject))
                ]
            )
        return self._pools[key]

    def verbs_with_object(self, tags: frozenset[str], passive: bool) -> Weighted[VerbEntry]:
        """The transitive verbs that can have such an object, for a passive if asked."""
        key = ("object", tags, passive)
        if key not in self._pools:
            self._pools[key] = ranked(
                [
                    verb
                    for verb in self.verbs
                    if verb.frame == "transitive"
                    and tags & set(verb.object)
                    and not (passive and "active" in verb.flags)
                ]
            )
        return self._pools[key]

    def adjectives_of(self, tags: frozenset[str], degree: str = "") -> Weighted[AdjectiveEntry]:
        """The adjectives that fit a noun with some tags and have the degree."""
        key = ("adjective", tags, degree)
        if key not in self._pools:
            self._pools[key] = ranked(
                [
                    adjective
                    for adjective in self.adjectives
                    if tags & adjective.tags
                    and not (adjective.order == _SIZE and "mass" in tags)
                    and (not degree or getattr(adjective, f"german_{degree}") is not None)
                ]
            )
        return self._pools[key]


def _by_rank_in_class(nouns: list[NounEntry], tags: set[str]) -> list[NounEntry]:
    """Nouns of all classes from common to rare: the files list each class in that order."""
    seen: dict[str, int] = {}
    order = []
    for noun in nouns:
        for tag in sorted(noun.tags & tags)[:1]:
            seen[tag] = seen.get(tag, 0) + 1
            order.append((seen[tag], len(order), noun))
    return [noun for _, _, noun in sorted(order, key=lambda entry: entry[:2])]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")
        return list(rows)


def _morphs(text: str) -> Morphs:
    return tuple(text.split("|"))


def _words(text: str) -> Words:
    return tuple(_morphs(word) for word in text.split())


def _noun(row: dict[str, str]) -> NounEntry:
    singular = _words(row["english"])
    if row["plural"] == "-":
        plural = None
    elif row["plural"]:
        plural = _words(row["plural"])
    else:
        plural = (*singular[:-1], english.with_s(singular[-1]))
    tags = [*row["classes"].split(), row["english"].replace("|", "")]
    if "thing" in tags and row["location"]:
        tags.append("support")  # things can be on it
    return NounEntry(
        singular,
        plural,
        german.Noun(
            row["gender"],
            _morphs(row["german"]),
            None if row["german_plural"] == "-" else _morphs(row["german_plural"]),
            row["genitive"],
        ),
        frozenset(tags),
        tuple(row["location"].split("=")) if row["location"] else None,
        tuple(row["direction"].replace("+", "=").split("=")) if row["direction"] else None,
    )


def _compound(modifier: Words, prefix: Morphs, head: NounEntry) -> NounEntry:
    def joined(word: Morphs | None) -> Morphs | None:
        return None if word is None else (*prefix, word[0].lower(), *word[1:])

    return NounEntry(
        modifier + head.english,
        None if head.english_plural is None else modifier + head.english_plural,
        german.Noun(
            head.german.gender,
            joined(head.german.singular),
            joined(head.german.plural),
            head.german.genitive,
        ),
        head.tags,
        head.location,
        head.direction,
    )


def _verb(row: dict[str, str]) -> VerbEntry:
    words = _words(row["english"])
    prefix, _, infinitive = row["german"].rpartition("+")
    third, past, participle = german.weak_parts(_morphs(infinitive)[:-1])
    particle = _morphs(prefix) if prefix else ()
    given = row["german_participle"]
    preposition, _, case = row["german_preposition"].partition("+")
    return VerbEntry(
        words,
        _morphs(row["past"]) if row["past"] else english.with_ed(words[0]),
        _morphs(row["participle"]) if row["participle"] else english.with_ed(words[0]),
        german.Verb(
            particle,
            _morphs(infinitive),
            _morphs(row["third"]) if row["third"] else third,
            _morphs(row["german_past"]) if row["german_past"] else past,
            (*particle, *(_morphs(given) if given else participle)),
            row["auxiliary"],
        ),
        row["frame"],
        tuple(row["subject"].split()),
        tuple(row["object"].split()),
        _words(row["english_preposition"]),
        (preposition, case) if preposition else None,
        frozenset(row["flags"].split()),
    )


def _adjective(row: dict[str, str]) -> AdjectiveEntry:
    def optional(name: str) -> Morphs | None:
        return _morphs(row[name]) if row[name] else None

    return AdjectiveEntry(
        _morphs(row["english"]),
        optional("english_comparative"),
        optional("english_superlative"),
        _morphs(row["german"]),
        _morphs(row["german_stem"] or row["german"]),
        optional("german_comparative"),
        optional("german_superlative"),
        frozenset(row["classes"].split()),
        int(row["order"]),
    )


def _adverbial(row: dict[str, str]) -> Adverbial:
    links = []
    for link in row["links"].split():
        sure = "-" in link
        i, j = link.split("-" if sure else "p")
        links.append((int(i), int(j), sure))
    return Adverbial(_words(row["english"]), _words(row["german"]), tuple(links))
