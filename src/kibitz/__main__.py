"""`python -m kibitz` is `kibitz`."""

from kibitz.cli import main

main()
