"""How property tests run: the same in every `make test`, fewer with sanitizers, new examples in `make fuzz`."""

import os
import signal

from hypothesis import settings

settings.register_profile("test", derandomize=True, database=None, deadline=None)
settings.register_profile("sanitize", derandomize=True, database=None, deadline=None, max_examples=8)
settings.register_profile("fuzz", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("NONPROJ_PROFILE", "test"))

# Jobs in the background of a shell ignore Ctrl-C, which tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)
