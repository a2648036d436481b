"""Experiments: parsers trained and compared on real treebanks, as the papers do it.

``python -m experiments.gap_minding`` and ``python -m experiments.systems``; the treebanks are those of the folder that
``NONPROJ_DATA`` names, or of ``../shared/data`` beside the repository.
"""
