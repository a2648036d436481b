"""How property tests run: the same examples every time, fewer with sanitizers, and new ones in `make fuzz`."""

import os

from hypothesis import settings

settings.register_profile("test", derandomize=True, database=None, deadline=None)
settings.register_profile("sanitize", derandomize=True, database=None, deadline=None, max_examples=20)
settings.register_profile("fuzz", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("NONPROJ_PROFILE", "test"))
