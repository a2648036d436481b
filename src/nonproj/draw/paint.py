"""Colours for the elements of an SVG picture, on a light or a dark ground or as the viewer prefers."""

from __future__ import annotations

from nonproj.draw import theme


class Paint:
    """Gives colours to elements as attributes, which every viewer understands.

    Where the viewer decides on dark or light, a class beside each attribute lets a style sheet replace it.
    """

    def __init__(self, dark: bool | None) -> None:
        self.colours = theme.DARK if dark else theme.LIGHT
        self.follows_viewer = dark is None
        self.used: set[tuple[str, str]] = set()

    def __call__(self, kind: str, **roles: str) -> str:
        """The attributes of an element of this kind, painted with these roles.

        >>> Paint(dark=False)("word", fill="ink")
        'class="word" fill="#26282b"'
        """
        if self.follows_viewer:
            self.used.update(roles.items())
            kind = " ".join([kind, *(f"{attribute}-{role}" for attribute, role in roles.items())])
        return f'class="{kind}"' + "".join(f' {key}="{self.colours[role]}"' for key, role in roles.items())

    @property
    def name(self) -> str:
        """The class of the whole picture. Styles are shared by a page, so the rules ask for this class."""
        return "nonproj-auto" if self.follows_viewer else "nonproj"

    def style(self) -> list[str]:
        """The style sheet for viewers that prefer dark, if they have a say; ask when all is painted."""
        if not self.follows_viewer:
            return []
        rules = (f".{self.name} .{key}-{role}{{{key}:{theme.DARK[role]}}}" for key, role in sorted(self.used))
        return [f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"]
