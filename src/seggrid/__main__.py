"""`python -m seggrid`: the command without its console script."""

import sys

from seggrid.commands import main

sys.exit(main())
