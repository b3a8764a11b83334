"""HTML of Jinja2 templates, which escape every text that is put into them."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["render_template"]


def render_template(package: str, name: str, **values: object) -> "Markup":
    """Fill in a template from the folder ``templates`` of a package.

    The result is marked as HTML, so that another template takes it as it is.
    """
    from markupsafe import Markup

    return Markup(_load_templates(package).get_template(name).render(values))


@cache
def _load_templates(package: str) -> "Environment":
    """Return the templates of a package; Jinja2 is loaded with the first page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        autoescape=True,
        keep_trailing_newline=True,
        loader=PackageLoader(package),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    templates.filters["commas"] = "{:,}".format
    templates.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return templates
