"""The documentation of the command line says what the command line does."""

from pathlib import Path

from typer.main import get_command

from scythe.cli.main import app
from scythe.cli.reference import reference

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_the_reference_is_up_to_date() -> None:
    assert (DOCS / "cli.md").read_text(encoding="utf-8") == reference(), (
        "run `make docs`"
    )


def test_every_command_is_in_the_reference_and_explains_itself() -> None:
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"## scythe {name}" in reference()
        assert command.help


def test_the_guide_names_every_option_of_extract() -> None:
    guide = (DOCS / "guides" / "extract.md").read_text(encoding="utf-8")
    for parameter in get_command(app).commands["extract"].params:  # type: ignore[attr-defined]
        assert parameter.name == "sources" or f"`{parameter.opts[0]}" in guide, (
            parameter.name
        )


def test_the_guide_names_every_option_of_records_and_wrappers() -> None:
    guide = (DOCS / "guides" / "records.md").read_text(encoding="utf-8")
    commands = get_command(app).commands  # type: ignore[attr-defined]
    shared = {parameter.name for parameter in commands["extract"].params}
    for command in (commands["records"], *commands["wrapper"].commands.values()):
        for parameter in command.params:
            named = (
                parameter.param_type_name == "argument"
                or parameter.name in shared
                or f"{parameter.opts[0]}" in guide
            )
            assert named, parameter.name
