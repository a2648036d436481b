"""What is found in a treebank as one page that can be sent to colleagues."""

from nonproj.sharing.page import report_page

__all__ = ["report_page"]
