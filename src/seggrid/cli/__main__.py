"""`python -m seggrid.cli`: the command without its console script."""

import sys

from seggrid.cli import main

sys.exit(main())
