"""`python -m ork`."""

from ork.cli.main import main

main()
