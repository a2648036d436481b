"""``python -m nonproj``: the command line."""

from nonproj.cli import main

if __name__ == "__main__":
    main()
