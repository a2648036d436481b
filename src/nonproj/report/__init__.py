"""Reports on treebanks: which classes cover them, and which of their trees are odd."""

from nonproj.report.coverage import Coverage, TreebankCoverage, coverage
from nonproj.report.unusual import Unusual

__all__ = ["Coverage", "TreebankCoverage", "Unusual", "coverage"]
