"""Every transition system on the same data, greedy and with a beam, and the projective ones with lifted trees."""

from __future__ import annotations

from dataclasses import replace

from experiments import contest
from experiments.contest import Row
from nonproj import TransitionOptions

PROJECTIVE = ("arc-standard", "arc-hybrid", "arc-eager")
BEAM = 8
SYSTEMS = {name: TransitionOptions(system=name) for name in (*PROJECTIVE, "swap")}
SYSTEMS["swap-eager"] = TransitionOptions(system="swap", oracle="eager")
SYSTEMS["sort-parse"] = TransitionOptions(system="sort-parse")
OTHERS = ("attardi-2", "attardi-3", "2-planar", "two-register", "covington", "mh4", "mh5")
SYSTEMS |= {name: TransitionOptions(system=name) for name in OTHERS}
GREEDY = tuple(Row(name, options) for name, options in SYSTEMS.items())
LIFTED = tuple(Row(f"{s}, lifted", TransitionOptions(system=s, lifting="head+path")) for s in PROJECTIVE)
BEAMS = tuple(Row(f"{name}, beam {BEAM}", replace(options, beam=BEAM)) for name, options in SYSTEMS.items())

main = contest.command((*GREEDY, *LIFTED, *BEAMS), ("arc-standard", "swap"))

if __name__ == "__main__":
    main()
