"""Room: trees."""
