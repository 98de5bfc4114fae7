"""Align two plain text files token by token, in both directions.

Each file has one sentence per line, its tokens separated by spaces; line k of one is the translation
of line k of the other. Links are written as Pharaoh lines, `i-j i-j ...`: token i of the source
with token j of the target, counted from 0. Model and defaults are those of the program fast_align.
"""

import argparse
from pathlib import Path

from seggrid.align import SYMMETRIZATIONS
from seggrid.align.fast_align import Model, Options, force_align, train
from seggrid.align.symmetrize import symmetrize
from seggrid.base.files import atomic_write
from seggrid.corpus.text import read_tokens
from seggrid.data.links import Links
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, align, write."""
    arguments = parse_arguments()
    source, target = (
        Segmentation.from_words(read_tokens(path)) for path in (arguments.source, arguments.target)
    )
    if len(source) != len(target):
        raise InputError(
            f"{len(target)} lines, but {arguments.source} has {len(source)}",
            file=arguments.target,
            hint="give two texts that are parallel line by line",
        )
    with timed():
        if arguments.model:
            model = Model.load(arguments.model)
            forward, reverse = force_align(model, source, target, threads=arguments.threads)
        else:
            options = Options.from_values(
                {name: getattr(arguments, name) for name in Options.model_fields}
            )
            trained = train(source, target, options=options, threads=arguments.threads)
            forward, reverse = trained.forward, trained.reverse
    write(arguments.forward, lines_by_target(forward.links))
    write(arguments.reverse, reverse.links.lines())
    if arguments.symmetrized:
        links = symmetrize(forward.links, reverse.links, arguments.heuristic)
        write(arguments.symmetrized, links.lines())
    if arguments.scores:
        scores = zip(forward.scores, reverse.scores, strict=True)
        write(arguments.scores, [f"{ahead:.6f}\t{back:.6f}" for ahead, back in scores])
    if arguments.table:
        write(arguments.table, (model if arguments.model else trained.model).lines())
    if arguments.save_model:
        (model if arguments.model else trained.model).save(arguments.save_model)


def parse_arguments() -> argparse.Namespace:
    """The arguments, among them each field of `Options`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", type=Path, required=True, metavar="FILE")
    parser.add_argument("--target", type=Path, required=True, metavar="FILE")
    parser.add_argument(
        "--forward",
        type=Path,
        required=True,
        metavar="OUT",
        help="links: at most one for each target token",
    )
    parser.add_argument(
        "--reverse",
        type=Path,
        required=True,
        metavar="OUT",
        help="links: at most one for each source token",
    )
    parser.add_argument("--symmetrized", type=Path, metavar="OUT", help="links of both, joined")
    parser.add_argument("--heuristic", choices=SYMMETRIZATIONS, default="grow-diag-final-and")
    parser.add_argument(
        "--scores",
        type=Path,
        metavar="OUT",
        help="log probability of each sentence pair: forward<TAB>reverse",
    )
    parser.add_argument(
        "--table",
        type=Path,
        metavar="OUT",
        help="source<TAB>target<TAB>t(target|source)<TAB>t(source|target), from 1e-6",
    )
    parser.add_argument(
        "--save-model", type=Path, metavar="OUT", help="keep the trained model (.npz)"
    )
    parser.add_argument(
        "--model", type=Path, metavar="FILE", help="do not train: align with a saved model"
    )
    parser.add_argument(
        "--threads", type=int, default=1, help="the result does not depend on it (default: 1)"
    )
    group = parser.add_argument_group("options of training")
    for name, option in Options.model_fields.items():
        flag, default = f"--{name.replace('_', '-')}", option.default
        text = option.description.replace("`", "")
        if default is False:
            group.add_argument(flag, action="store_true", help=text)
        else:
            group.add_argument(
                flag, type=type(default), default=default, help=f"{text} (default: {default})"
            )
    return parser.parse_args()


def lines_by_target(links: Links) -> list[str]:
    """Pharaoh lines ordered by target token j, as the program prints its forward links."""
    sentences = (sorted(links.sentence(s), key=lambda link: link[1]) for s in range(len(links)))
    return [" ".join(f"{i}-{j}" for i, j in sentence) for sentence in sentences]


def write(path: Path, lines: list[str]) -> None:
    """Write lines, atomically."""
    with atomic_write(path) as file:
        file.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    run(main)
