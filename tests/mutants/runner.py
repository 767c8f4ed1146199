#!/usr/bin/env python3
"""Runs suites on the mutants of the build beside it, and says which are killed. Needs Python and util-linux alone."""

import argparse
import concurrent.futures
import contextlib
import heapq
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

SUITES = "^(test_|fuzz_|example_|python$|.*_walk$)"  # others look at sources, or write into the build
KILLED = ("failed", "late")
MOST_WRITTEN, MOST_READ = 2**31, 2**24  # bytes of a file, and of what a suite prints
ALIKE = 10  # a suite named like the mutant's file goes before others that take a tenth of its time


def parser(**options):
    p = argparse.ArgumentParser(description=__doc__, **options)
    p.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)), help="at once (default: cores)")
    p.add_argument("--suites", default=SUITES, help="a regular expression (default: %(default)s)")
    p.add_argument("--budget", type=float, default=float("inf"), help="seconds for each mutant (default: all suites)")
    p.add_argument("--seconds", type=float, default=float("inf"), help="ends after these; the next call goes on")
    p.add_argument("--results", type=Path, help="the folder of what is known so far (default: that of the build)")
    return p


class Lines:
    """A file with a JSON object in each line, to which threads append."""

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        self.all = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def add(self, **entry):
        with self.lock, open(self.path, "a") as f:
            f.write(json.dumps(entry) + "\n")
            self.all.append(entry)


def end_session(leader):
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[3]) == leader:
                os.kill(int(stat.parent.name), signal.SIGKILL)


class Runner:
    def __init__(self, folder, o):
        self.folder, self.o, self.end = folder, o, time.monotonic() + o.seconds
        build = json.loads((folder / "suites.json").read_text())
        self.mutants = json.loads((folder / "mutants.json").read_text())["mutants"]
        self.suites = {s["name"]: s for s in build["suites"] if re.search(o.suites, s["name"])}
        results = o.results or folder
        results.mkdir(parents=True, exist_ok=True)
        self.baseline, self.results = Lines(results / "baseline.jsonl"), Lines(results / "results.jsonl")
        link = Path(build["link"])
        if link.resolve() != folder:
            link.unlink(missing_ok=True)
            link.symlink_to(folder)
        # As ./run test has it: lavapipe does not optimise, and keeps what it has compiled.
        lavapipe = {"GALLIVM_PERF": "nopt", "LP_NATIVE_VECTOR_WIDTH": "128", "MESA_SHADER_CACHE_DIR": str(folder / "shaders")}
        self.environment = {**os.environ, **lavapipe}
        libraries = folder / "libraries"
        if libraries.exists():
            self.environment["LD_LIBRARY_PATH"] = str(libraries)
            self.environment["VK_DRIVER_FILES"] = self.environment["VK_ICD_FILENAMES"] = str(libraries / "lvp_icd.json")
            self.environment["VK_LAYER_PATH"] = str(libraries)
        # Each suite gets two cores, the number it was written for, and its share of the memory.
        cores = sorted(os.sched_getaffinity(0))
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // o.jobs
        limits = ["prlimit", f"--as={memory}", f"--fsize={MOST_WRITTEN}", "--core=0", "taskset", "-c"]
        pairs = [f"{cores[i % len(cores)]},{cores[(i + 1) % len(cores)]}" for i in range(o.jobs)]
        self.slots = [[*limits, pair] for pair in pairs]

    def attempt(self, suite, slot, limit, **variables):
        """How a suite ends, and its seconds. None where the time of this call has ended."""
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="vksolve-mutant-") as work, open(f"{work}/output", "w+b") as output:
            environment = {**self.environment, **suite["environment"], "XDG_CACHE_HOME": work, **variables}
            process = subprocess.Popen(
                [*slot, *suite["command"]],
                cwd=suite["folder"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                status = process.wait(max(0, min(limit, self.end - begun)))
            except subprocess.TimeoutExpired:
                status = None
            end_session(process.pid)
            process.wait()
            output.seek(0)
            text = output.read(MOST_READ).decode(errors="replace")
        seconds = time.monotonic() - begun
        if status is None:
            return ("late", seconds) if seconds >= limit else (None, seconds)
        if status == suite["skips"]:
            return "skipped", seconds
        wrong = status or (suite["fails"] and re.search(suite["fails"], text))
        return "failed" if wrong else "passed", seconds

    def parallel(self, work):
        with concurrent.futures.ThreadPoolExecutor(self.o.jobs) as pool:
            for done in [pool.submit(work, slot) for slot in self.slots]:
                done.result()

    def run_baseline(self):
        """Each suite without a mutant: its seconds, and which mutants it reaches."""
        known = {b["suite"] for b in self.baseline.all}
        todo = sorted((s for s in self.suites.values() if s["name"] not in known), key=lambda s: s["cost"])

        def work(slot):
            while todo and time.monotonic() < self.end:
                with contextlib.suppress(IndexError):
                    self.measure(todo.pop(), slot)

        self.parallel(work)
        measured = {b["suite"]: b for b in self.baseline.all if b["suite"] in self.suites}
        self.passing = {name: b for name, b in measured.items() if b["outcome"] == "passed"}
        self.complete = set(measured) == set(self.suites)

    def measure(self, suite, slot):
        size = 2 * (len(self.mutants) + 1)  # shorts: mutant.h
        with tempfile.NamedTemporaryFile() as reached:
            reached.truncate(size)
            outcome, seconds = self.attempt(suite, slot, 600, VKSOLVE_MUTANTS_REACHED=reached.name)
            places = memoryview(Path(reached.name).read_bytes()).cast("h").tolist()
        if outcome:
            ids = [k for k, on in enumerate(places) if on]
            self.baseline.add(suite=suite["name"], outcome=outcome, seconds=round(seconds, 2), reached=ids)

    def plan(self, mutant):
        """The suites that reach a mutant, those first that are likely to kill it soon."""

        def cost(suite):
            alike = set(suite["suite"].split("_")) & set(re.findall("[a-z0-9]+", mutant["file"]))
            return suite["seconds"] / (ALIKE if alike else 1)

        reaching = [b for b in self.passing.values() if mutant["mutant"] in b["reached"]]
        return [b["suite"] for b in sorted(reaching, key=cost)]

    def against(self, mutant, name, slot):
        """How a suite ends on a mutant. A failure counts if it repeats, and does not come without the mutant."""
        suite, limit = self.suites[name], 3 * self.passing[name]["seconds"] + 10
        chosen = {"VKSOLVE_MUTANT": str(mutant)}
        first, _ = self.attempt(suite, slot, limit, **chosen)
        if first not in KILLED:
            return first
        plain, _ = self.attempt(suite, slot, limit)
        again, _ = self.attempt(suite, slot, limit, **chosen) if plain else (None, 0)
        return again and (first if plain == "passed" and again in KILLED else "unsteady")

    def run_mutants(self):
        """In turn, that with the least time so far: when this ends early, all have had their share."""
        todo, spent = {}, {}
        for mutant in self.mutants:
            k = mutant["mutant"]
            mine = {r["suite"]: r for r in self.results.all if r["mutant"] == k}
            spent[k] = sum(r["seconds"] for r in mine.values())
            if not any(r["outcome"] in KILLED for r in mine.values()):
                todo[k] = [s for s in self.plan(mutant) if s not in mine]
        queue, lock = [(spent[k], k) for k, suites in todo.items() if suites], threading.Lock()
        heapq.heapify(queue)

        def work(slot):
            while time.monotonic() < self.end:
                with lock:
                    if not queue:
                        return
                    seconds, k = heapq.heappop(queue)
                if seconds >= self.o.budget:
                    continue
                begun, name = time.monotonic(), todo[k].pop(0)
                outcome = self.against(k, name, slot)
                seconds += time.monotonic() - begun
                if outcome:
                    self.results.add(mutant=k, suite=name, outcome=outcome, seconds=round(time.monotonic() - begun, 2))
                if outcome and outcome not in KILLED and todo[k]:
                    with lock:
                        heapq.heappush(queue, (seconds, k))

        self.parallel(work)

    def table(self):
        count = {}
        for mutant in self.mutants:
            mine = [r for r in self.results.all if r["mutant"] == mutant["mutant"]]
            plan, passed = self.plan(mutant), {r["suite"] for r in mine}
            killer = next((r for r in mine if r["outcome"] in KILLED), None)
            if killer:
                ending, words = "killed", f"killed by {killer['suite']} ({killer['outcome']})"
            elif not plan and self.complete:
                ending, words = "not reached", "NOT REACHED by any suite"
            elif self.complete and passed >= set(plan):
                ending, words = "survived", f"SURVIVED all {len(plan)} suites that reach it"
            else:
                ending, words = "open", f"open after {len(passed)} of {len(plan)} suites that reach it"
            count[ending] = count.get(ending, 0) + 1
            what = mutant["what"] if len(mutant["what"]) <= 70 else mutant["what"][:50] + " ... " + mutant["what"][-15:]
            print(f"{mutant['mutant']:4}  {mutant['file']}:{mutant['function']}  {what}  {words}")
        left_out = sorted(f"{b['suite']} {b['outcome']}" for b in self.baseline.all if b["outcome"] != "passed")
        print(f"suites that run: {len(self.passing)}; left out: {', '.join(left_out) or 'none'}")
        print(f"of {len(self.mutants)} mutants: " + ", ".join(f"{n} {ending}" for ending, n in count.items()))


def main(folder, o):
    runner = Runner(folder, o)
    runner.run_baseline()
    if runner.complete:
        runner.run_mutants()
    runner.table()


if __name__ == "__main__":
    main(Path(__file__).resolve().parent, parser().parse_args())
