"""The one exception that a user is meant to read."""

from pathlib import Path


class InputError(ValueError):
    """A mistake in what the user gave (config, corpus, gold, model file).

    Its text is one line: where it is, what is wrong, and how to mend it. Scripts and the Snakefile
    print that line alone, without a traceback.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        mend: str | None = None,
    ) -> None:
        self.message, self.file, self.line, self.mend = message, file, line, mend
        where = "" if file is None else f"{file}:{line}: " if line is not None else f"{file}: "
        super().__init__(f"{where}{message}" + (f" ({mend})" if mend else ""))
