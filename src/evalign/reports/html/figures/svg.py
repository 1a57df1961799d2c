"""Elements of SVG: whatever is put into one is text, unless it is an element itself."""

from __future__ import annotations

from markupsafe import Markup, escape

from evalign.reports.html.text import visible


def tag(name: str, *children: str, **attributes: str | float) -> Markup:
    """An element; of the attributes `class_` is class, and `stroke_width` is stroke-width.

    >>> print(tag("text", "a < b", x=1.50, class_="label"))
    <text x="1.5" class="label">a &lt; b</text>
    """
    written = [Markup('{}="{}"').format(_attribute(key), _shown(value)) for key, value in attributes.items()]
    inner = Markup("").join(_child(child) for child in children)
    return Markup("<{}>{}</{}>").format(Markup(" ").join([Markup(name), *written]), inner, Markup(name))


def svg(width: float, height: float, *children: str, label: str, **attributes: str | float) -> Markup:
    """A picture with what it shows in words, for who cannot see it."""
    box = f"0 0 {number(width)} {number(height)}"
    return tag(
        "svg", *children, viewBox=box, width=width, height=height, role="img", aria_label=label, **attributes
    )


def text(x: float, y: float, content: str, **attributes: str | float) -> Markup:
    """A line of text."""
    return tag("text", content, x=x, y=y, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: str | float) -> Markup:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def number(value: float) -> str:
    """A coordinate with no more digits than can be seen.

    >>> number(3.14159), number(2.0), number(-0.001)
    ('3.14', '2', '0')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _attribute(key: str) -> Markup:
    # Names of SVG in capitals (viewBox) are left as they are.
    return Markup(key.rstrip("_").replace("_", "-"))


def _shown(value: str | float) -> str:
    return visible(value) if isinstance(value, str) else number(value)


def _child(child: str) -> Markup:
    return child if isinstance(child, Markup) else escape(visible(child))
