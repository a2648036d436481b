"""How long a very large job takes on a cluster whose tasks differ, whose workers die, and of which some are slow.

    python -m experiments.scale TREEBANKS [--sentences 14.3e9] [--workers 1000] [--command coverage]

Tasks differ as those of the treebanks do: each treebank is measured by itself, in CPU time for a sentence. What cannot
be measured on one machine is given: how often a worker dies, and how many are how much slower than the others.
"""

from __future__ import annotations

import argparse
import heapq
import random
import time

from nonproj.distributed.places import places
from nonproj.distributed.splitting import Piece
from nonproj.distributed.work import CoverageJob, Edges
from nonproj.trees import tree_classes


def measured(treebanks: str) -> list[float]:
    """The CPU time that a sentence of each file takes, relative to the mean: the quicker of two runs."""
    job = CoverageJob(tuple(cls.name for cls in tree_classes("all")), on_error="skip")
    costs = []
    for place in places(treebanks):
        times = []
        for _ in range(2):
            begun = time.process_time()
            record = job.do(Piece(place.name), lambda text: None, Edges(True, True))
            times.append(time.process_time() - begun)
        if record["sentences"] > 300:
            costs.append(min(times) / record["sentences"])
    mean = sum(costs) / len(costs)
    return [cost / mean for cost in costs]


def makespan(
    tasks: int, seconds: float, workers: int, spread: list[float], deaths: float, slow: float, factor: float, seed: int
) -> tuple[float, int]:
    """Seconds until the last task is done, each taken by the next free worker; and how many workers died on the way.

    ``deaths`` is how many times a worker dies in a day, ``slow`` the share of workers that are ``factor`` times slower.
    """
    chance = random.Random(seed)
    speed = [factor if chance.random() < slow else 1.0 for _ in range(workers)]
    free = [(0.0, worker) for worker in range(workers)]
    restart, lost, left, end = 60.0, 0, tasks, 0.0
    while left:
        at, worker = heapq.heappop(free)
        needs = seconds * chance.choice(spread) * speed[worker]
        death = chance.expovariate(deaths / 86_400) if deaths else float("inf")
        if death < needs:  # the task is done again by whoever is free next
            lost += 1
            heapq.heappush(free, (at + death + restart, worker))
            continue
        left -= 1
        end = max(end, at + needs)
        heapq.heappush(free, (at + needs, worker))
    return end, lost


def main() -> None:
    """Measure the treebanks and simulate clusters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks")
    parser.add_argument("--sentences", type=float, default=14.3e9)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=9.0, help="CPU time of a million sentences")
    parser.add_argument("--task", type=float, default=5.0, help="seconds of a task")
    given = parser.parse_args()
    spread = sorted(measured(given.treebanks))
    print(f"{len(spread)} treebanks: a sentence costs {spread[0]:.2f} to {spread[-1]:.2f} times the mean")
    whole = given.sentences / 1e6 * given.seconds
    tasks = max(1, round(whole / given.task))
    ideal = whole / given.workers
    print(f"{whole / 3600:.0f} core-hours in {tasks} tasks; {given.workers} workers: ideally {ideal / 60:.1f} minutes")
    for deaths, slow, factor in ((0, 0, 1), (1, 0, 1), (24, 0, 1), (1, 0.05, 3), (24, 0.05, 10)):
        found, lost = makespan(tasks, given.task, given.workers, spread, deaths, slow, factor, 1)
        print(
            f"a worker dies {deaths} times a day, {100 * slow:.0f}% are {factor} times slower: "
            f"{found / 60:.1f} minutes, {found / ideal:.2f} of the ideal, {lost} tasks done again"
        )


if __name__ == "__main__":
    main()
