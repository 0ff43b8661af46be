"""Commands about links and fields: what an operator says to a collection."""

from __future__ import annotations

from scythe.cli.commands.collect.arguments import (
    DryRun,
    Excludes,
    FieldName,
    FieldType,
    Includes,
    Key,
    Listing,
    Name,
    NeverUrls,
    Only,
    Part,
    PartExamples,
    RecordUrls,
    Rules,
    Slot,
    StartUrls,
    TakeBack,
    WatchUrls,
    WholeList,
)
from scythe.cli.commands.collect.shared import (
    app,
    assignments,
    record_counts,
    user_name,
    write_lines,
    write_view,
)
from scythe.cli.database import open_collection
from scythe.cli.options import Database
from scythe.cli.output.collect_views import (
    link_rule_lines,
    link_view,
    rule_view,
    slot_view,
)
from scythe.cli.output.files import write_page_text
from scythe.cli.output.messages import print_message


@app.command("links")
def links(
    name: Name,
    decision: Only = None,
    record: RecordUrls = None,
    watch: WatchUrls = None,
    never: NeverUrls = None,
    include: Includes = None,
    exclude: Excludes = None,
    start: StartUrls = None,
    in_list: WholeList = False,  # noqa: FBT002 - a switch of the command line
    undo: TakeBack = None,
    rules: Rules = False,  # noqa: FBT002 - a switch of the command line
    preview: DryRun = False,  # noqa: FBT002 - a switch of the command line
    format: Listing = "table",  # noqa: A002 - its name on the command line
    db: Database = None,
) -> None:
    """List the links of index pages: what was decided about them and why, and the
    result. Or say yourself what links are: no run overrules that.
    """
    scope = "list" if in_list else "link"
    rules_given = (
        ("record", scope, record),
        ("watch", scope, watch),
        ("never", scope, never),
        ("record", "pattern", include),
        ("never", "pattern", exclude),
        ("watch", "link", start),
    )
    given = []
    for action, rule_scope, values in rules_given:
        given += [(action, value, rule_scope) for value in values or ()]
    with open_collection(name, db) as collection:
        for number in undo or ():
            collection.remove_link_rule(number)
        for rule in given:
            write_lines(link_rule_lines(collection, rule, preview=preview))
        if rules:
            write_view(rule_view(collection), format)
        elif not given and not undo:
            write_view(link_view(collection, decision), format)


@app.command("attributes", hidden=True)
@app.command("slots")
def slots(name: Name, format: Listing = "table", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """List the slots of pages, with their support, examples, field and suggestion; and
    the notices about them.
    """
    with open_collection(name, db) as collection:
        write_view(slot_view(collection), format)
        for group in collection.notice_groups():
            print_message(f"notices: {group.summary}")
            for notice in group.notices:
                slot = notice.data.get("slot", "")
                message = notice.data.get("message", "")
                print_message(f"notice: {notice.kind}: {slot} {message}")


@app.command("name")
def name_slot(
    name: Name,
    slot: Slot,
    field: FieldName,
    type: FieldType = None,  # noqa: A002 - its name on the command line
    part: Part = None,
    example: PartExamples = None,
    db: Database = None,
) -> None:
    """Set which field the values of a slot belong to, or a part of them. All records
    are updated at once, from snapshots.
    """
    with open_collection(name, db) as collection:
        if example:
            examples = assignments(example, separator=" = ")
            part = collection.learn_slot_part(slot, examples)
            print_message(f"The part is {part!r}." if part else "It is the whole.")
        if part:
            slot = f"{slot} | {part}"
        if field == "-":
            collection.unname_slot(slot)
        else:
            collection.name_slot(slot, field, type)
        write_page_text(record_counts(collection))


@app.command("accept")
def accept(name: Name, key: Key = None, db: Database = None) -> None:
    """Accept all suggestions for slots, or one record in review as it is."""
    with open_collection(name, db) as collection:
        if key is not None:
            own_key = collection.record_key(key)
            record = collection.accept_record(own_key, by=user_name())
            write_page_text(f"accepted {record.url}\n")
            return
        accepted = collection.accept_suggestions()
        collection.dismiss_notices(collection.notices())
        if not accepted:
            print_message(
                "There is no suggestion that is certain enough. "
                "Name slots with `scythe collect name`."
            )
        lines = [f"{slot} is {field}\n" for slot, field in accepted.items()]
        lines.append(record_counts(collection))
        write_page_text("".join(lines))
