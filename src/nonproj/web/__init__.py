"""The page: everything that the library does, in a browser on this machine (the extra ``web``)."""

from nonproj.web.export import export_site
from nonproj.web.library import Library
from nonproj.web.serving import serve

__all__ = ["Library", "export_site", "serve"]
