"""`pit console`: the table on one screen of a terminal."""


def run(port, table="", role=""):
    """Show the table at `port` until the user quits; `table` names it for its keys, `role` logs in at once."""
    from pit.console.app import TableApp
    from pit.console.link import Link

    TableApp(Link(port, table), port, role).run()
