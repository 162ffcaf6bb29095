"""Entry point: answer `--version` before anything heavy is imported."""

import sys


def main() -> int:
    """Run the command line and return the exit code documented in the README."""
    if sys.argv[1:] == ["--version"]:
        from acctcli import __version__

        print(f"acctcli {__version__}")
        return 0
    from acctcli.cli.root import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
