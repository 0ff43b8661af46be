"""The documentation of the command line says what the command line does."""

from pathlib import Path

from scythe.cli.catalogue import SUMMARIES, load_command
from scythe.cli.reference import reference

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_the_reference_is_up_to_date() -> None:
    assert (DOCS / "cli.md").read_text(encoding="utf-8") == reference(), (
        "run `make docs`"
    )


def test_every_command_is_in_the_reference_and_explains_itself() -> None:
    page = reference()
    for name, summary in SUMMARIES.items():
        assert f"## scythe {name}" in page
        command = load_command(name)
        words = " ".join(command.help.split())
        assert words.startswith(summary.removesuffix(".")), name


def test_the_guide_names_every_option_of_extract() -> None:
    guide = (DOCS / "guides" / "extract.md").read_text(encoding="utf-8")
    for parameter in load_command("extract").params:
        assert parameter.name == "sources" or f"`{parameter.opts[0]}" in guide, (
            parameter.name
        )


def test_the_guide_names_every_option_of_records_and_wrappers() -> None:
    guide = (DOCS / "guides" / "records.md").read_text(encoding="utf-8")
    shared = {parameter.name for parameter in load_command("extract").params}
    wrapper = load_command("wrapper").commands
    for command in (load_command("records"), *wrapper.values()):
        for parameter in command.params:
            named = (
                parameter.param_type_name == "argument"
                or parameter.name in shared
                or f"{parameter.opts[0]}" in guide
            )
            assert named, parameter.name
