"""The schemata of the papers, one short file each, beside its citation."""
