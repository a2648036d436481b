"""A page of the server in Debian's chromium, without a window, and what went wrong on it."""

import shutil
from typing import Any

from served import Client

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page:
    """A page with what went wrong on it."""

    def __init__(self, browser: Any, server: Client, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        self.page = self.context.new_page()
        self.page.set_default_timeout(8000)
        self.server = server
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        # Chromium tells of every answer that is no 200; the page shows what they say.
        self.page.on(
            "console",
            lambda said: (
                self.faults.append(said.text) if said.type == "error" and "status of 4" not in said.text else None
            ),
        )
        self.page.on("dialog", self.dismiss)

    def dismiss(self, dialog: Any) -> None:
        self.faults.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def open(self, place: str = "") -> Any:
        self.page.goto("about:blank")
        self.page.goto(self.server.address + place)
        self.page.wait_for_selector("main .view")
        return self.page

    def close(self) -> None:
        self.context.close()
        assert self.faults == []


def until(page: Any, expression: str) -> None:
    """Ask again and again; playwright's own waiting evaluates text in the page, which its policy forbids."""
    for _ in range(160):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(expression)
