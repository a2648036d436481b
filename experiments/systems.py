"""Every transition system on the same data, greedy and with a beam, and the projective ones with lifted trees."""

from __future__ import annotations

from experiments import contest
from experiments.contest import Row
from nonproj import TransitionOptions, _core

PROJECTIVE = ("arc-standard", "arc-hybrid", "arc-eager")
BEAM = 8
SYSTEMS = tuple(_core.trainable_systems())
GREEDY = tuple(Row(system, TransitionOptions(system=system)) for system in SYSTEMS)
LIFTED = tuple(Row(f"{s}, lifted", TransitionOptions(system=s, lifting="head+path")) for s in PROJECTIVE)
BEAMS = tuple(Row(f"{system}, beam {BEAM}", TransitionOptions(system=system, beam=BEAM)) for system in SYSTEMS)

main = contest.command((*GREEDY, *LIFTED, *BEAMS), ("arc-standard", "swap"))

if __name__ == "__main__":
    main()
