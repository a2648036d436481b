"""Room: draw."""
