"""`python -m scythe`: the command line."""

from scythe.cli.main import app

if __name__ == "__main__":
    app(prog_name="scythe")
