#!/usr/bin/env -S python3 -B
"""PETSc's own examples with the types of the plug-in, beside the same runs with PETSc's types.

The sources of the examples say in TEST blocks how they are run. Each run is made with matrices aij and
standard vectors, and with those of the plug-in. The exit status tells whether one fails or differs by more
than rounding with the plug-in alone, or none uses the device.
"""

import argparse
import collections
import concurrent.futures
import itertools
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import example_blocks

FOLDERS = ("vec", "mat", "ksp", "snes", "ts", "dm", "tao")
PLAIN = "-mat_type aij -vec_type standard -dm_mat_type aij -dm_vec_type standard"
OURS = "-mat_type aijvksolve -vec_type vksolve -dm_mat_type aijvksolve -dm_vec_type vksolve"
MPI = {
    "OMP_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
SMALL = 1e-4  # differences that are rounding at once
MORE, LARGE = 100, 1e-2  # others may be so many times those of PETSc's own kernels, up to this size; one of counts is as large
SAME_ORDER = 10  # numbers up to so many times as large as each other
MINOR, NEGLIGIBLE = 0.1, 1e-8  # of 1 or the largest number of a line: see `difference`
LIMITED = ["timeout", "-k", "10", "120"]  # before a command that has no other limit
KERNELS = ("Prescott", "Nehalem")
EQUAL, PLAIN_FAILS, ROUNDING, VARIES, DIFFERS = range(5)
WORDS = ("equal", "fail with plain types too", "differ by rounding", "vary from run to run", "differ or fail")


def find_sources(given):
    """The folder src of a checkout of PETSc, or of Debian's package of its examples."""
    places = [Path(given) / "src"] if given else sorted(Path("/usr/share/petsc").glob("*/share/petsc/examples/src"))
    places = [place for place in places if (place / "mat" / "tests").is_dir()]
    return places[-1] if places else None


def pkg_config(*options):
    return subprocess.run(["pkg-config", *options, "PETSc"], capture_output=True, text=True, check=True).stdout.split()


class Configuration:
    """What the installed PETSc has."""

    def __init__(self):
        folders = [flag[2:] for flag in pkg_config("--cflags-only-I")]
        conf = next(Path(folder) / "petscconf.h" for folder in folders if (Path(folder) / "petscconf.h").exists())
        self.defined = set(re.findall(r"^#define (\w+)", conf.read_text(), re.M))
        self.flags = pkg_config("--cflags") + ["-x", "c"], ["-x", "none"] + pkg_config("--libs") + ["-lm"]

    def has(self, word):
        """Whether a word after `requires:` is true."""
        if word.startswith("!"):
            return not self.has(word[1:])
        match = re.fullmatch(r"defined\((\w+)\)", word)
        if match:
            return match[1] in self.defined
        if word in ("c", "double"):
            return True
        name = re.sub(r"\W", "_", word).upper()
        return bool({f"PETSC_HAVE_{name}", f"PETSC_USE_{name}", f"PETSC_USE_REAL_{name}"} & self.defined)


def build(source, depends, flags, folder):
    """The program of a source; None if it cannot be built here."""
    program = folder / str(source.with_suffix("")).strip("/").replace("/", "_")
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        command = [*LIMITED, "mpicc", "-w", "-O0", *flags[0], str(source), *map(str, depends), *flags[1], "-o", str(program)]
        if subprocess.run(command, capture_output=True).returncode:
            return None
    return program


def with_types(args):
    """Arguments that name types of PETSc's, with those of the plug-in in their place."""
    args = list(args)
    for k, (option, value) in enumerate(zip(args, args[1:])):
        if re.search(r"mat_type$", option) and value in ("aij", "seqaij", "mpiaij"):
            args[k + 1] = value + "vksolve"
        elif re.search(r"vec_type$", option) and value in ("standard", "seq", "mpi"):
            args[k + 1] = value.replace("standard", "") + "vksolve"
    return args


def copy_files(run, folder):
    """Copies the files that a run reads into the folder where it runs."""
    for name in run.files:
        source, target = run.source.parent / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        elif source.exists():
            shutil.copy(source, target)


def wait_for(process, limit):
    """The exit status, or "no end" of one that is ended after the limit."""
    for seconds, end in (limit, None), (10, signal.SIGTERM), (10, signal.SIGKILL):  # by SIGTERM mpirun ends its processes
        try:
            if end:
                os.killpg(process.pid, end)
            status = process.wait(seconds)
            return "no end" if end else status
        except subprocess.TimeoutExpired:
            continue
    return "no end"


def execute(run, program, args, options, limit, **more):
    """(exit status, output, whether the plug-in was used) of a run. `more`: variables of its environment."""
    command = [str(program), *args]
    if run.processes > 1:
        command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(run.processes), *command]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, tempfile.TemporaryFile() as out:
        copy_files(run, Path(folder))
        env = dict(os.environ, **MPI, PETSC_OPTIONS=options + " -options_left no", OMPI_MCA_orte_tmpdir_base=folder)
        env.update(more)
        env.update(word.split("=", 1) for word in shlex.split(run.env) if "=" in word)
        streams = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": out}
        process = subprocess.Popen(command, cwd=folder, env=env, start_new_session=True, **streams)
        status = wait_for(process, limit)
        out.seek(0)
        text = out.read().decode(errors="replace")
        used = re.search(r"\[vksolve [^\n]*; (products|solves|preconditioners applied|vectors up) [1-9]", text)
        return status, comparable(run, text, folder), used is not None


def comparable(run, text, folder):
    """What is compared of an output: what the filter of the run leaves of it, with PETSc's names of types."""
    text = re.sub(r"\[vksolve \d+\][^\n]*\n", "", text)
    if run.filter:
        command = run.filter.removeprefix("Error:")
        text = subprocess.run([*LIMITED, "sh", "-c", command], input=text, capture_output=True, text=True, cwd=folder).stdout
    text = re.sub(r"[^\n]*libpetscvksolve[^\n]*\n", "", text)  # -info
    text = re.sub(r"0x[0-9a-f]{6,}", "0x", text)
    text = re.sub(r"\b(seq|mpi)?(aij)?vksolve\b", plain_name, text)
    text = re.sub(r"^Process \[0\]\n", "", text, flags=re.M)  # before a vector of one process that is not `seq`
    return "\n".join(sorted(text.split("\n"))) if run.processes > 1 else text


def plain_name(match):
    return "".join(part or "" for part in match.groups()) or "standard"


def distances(a, b):
    """For each line of two texts the largest difference of its numbers, relative to them; infinity where words differ."""
    lines = ([line for line in text.splitlines() if line.strip()] for text in (a, b))
    return [line_distance(*pair) for pair in itertools.zip_longest(*lines, fillvalue="")]


def line_distance(a, b):
    if NUMBER.sub("#", a).split() != NUMBER.sub("#", b).split():
        return math.inf
    pairs = list(zip(NUMBER.findall(a), NUMBER.findall(b)))
    scale = max([1] + [abs(float(x)) for x, _ in pairs])
    counts = any(x != y and not re.search(r"[.eE]", x + y) for x, y in pairs)
    return max([LARGE * counts] + [difference(float(x), float(y), scale) for x, y in pairs])


def difference(x, y, scale):
    """Of two numbers, relative to them or, where they are smaller than this, to what does not matter beside the scale: less of
    numbers of the same order of magnitude than of others."""
    small, large = sorted((abs(x), abs(y)))
    return abs(x - y) / max(large, scale * (MINOR if large <= SAME_ORDER * small else NEGLIGIBLE)) if large else 0


def is_rounding(plain, ours, others):
    """Whether an output differs from that of PETSc's types by rounding: by little, or not by much more than `others`, which are
    outputs of PETSc's types with sums in another order. Words, and so the number of lines, differ only if the numbers of these
    differ by more than little.

    >>> is_rounding("error 1e-12", "error 3e-14", []), is_rounding("error 1e-12", "error 9.9e-6", [])
    (True, False)
    >>> is_rounding("residual 2.5e-5", "residual 2.6e-5", []), is_rounding("residual 0.25", "residual 0.251", [])
    (True, False)
    >>> is_rounding("x 0.5", "x 0.501", ["x 0.50001"]), is_rounding("x 0.5", "x 0.6", ["x 0.50001"])
    (True, False)
    >>> is_rounding("its 7", "its 9", ["its 8"]), is_rounding("its 7", "its 70", ["its 8"]), is_rounding("its 70000", "its 70001", [])
    (True, False, False)
    >>> is_rounding("0 1.0\\n1 0.1", "0 1.0", ["0 1.0\\n1 0.1"]), is_rounding("0 1.0\\n1 0.1", "0 1.0", ["0 1.0\\n1 0.1\\n2 0.01"])
    (False, True)
    >>> is_rounding("0 1.0\\n1 0.1", "0 2.0", ["0 1.0\\n1 0.1\\n2 0.01"])
    False
    """
    spread, differs = [0], distances(plain, ours)
    if max(differs, default=0) > SMALL:
        spread += [d for other in others for d in distances(plain, other)]
    if math.inf in differs and max(spread) <= SMALL:
        return False
    differs, spread = (max(filter(math.isfinite, d), default=0) for d in (differs, spread))
    return differs <= max(SMALL, 2 * spread, min(MORE * spread, LARGE))


def with_other_kernels(run, program, limit):
    """Outputs of a run with PETSc's types by other kernels of OpenBLAS."""
    for kernel in KERNELS:
        status, text, _ = execute(run, program, run.args, PLAIN, limit, OPENBLAS_CORETYPE=kernel)
        if status == 0:
            yield text


def compare(run, program, plugin, limit, folder):
    """(verdict, whether the plug-in was used) of a run with both kinds of types."""
    plain = execute(run, program, run.args, PLAIN, limit)
    if plain[0] != 0:
        return PLAIN_FAILS, False
    ours = execute(run, program, with_types(run.args), f"-dll_append {plugin} -vks_view {OURS}", 2 * limit)
    if ours[0] == 0 and ours[1] == plain[1]:
        return EQUAL, ours[2]
    if execute(run, program, run.args, PLAIN, limit)[:2] != plain[:2]:
        return VARIES, ours[2]
    if ours[0] == 0 and is_rounding(plain[1], ours[1], with_other_kernels(run, program, limit)):
        return ROUNDING, ours[2]
    for kind, (status, text, _) in (("plain", plain), ("ours", ours)):
        (folder / f"{run.name.replace('/', '_')}.{kind}").write_text(f"{text}\nexit status {status}\n")
    return DIFFERS, ours[2]


def select(options, root, configuration):
    """The runs by their sources, and what these are built with."""
    top = next((folder for folder in root.parents if (folder / "share/petsc/datafiles").is_dir()), root.parent)
    names = {"wPETSC_DIR": str(top), "PETSC_DIR": str(top)}
    chosen, depends = collections.defaultdict(list), {}
    for folder in FOLDERS:
        for source in sorted((root / folder).glob("**/*.c")):
            runs, requires, depends[source] = example_blocks.read(source, names)
            for run in runs:
                run.name = f"{source.parent.relative_to(root)}/{run.name}"
                wanted = options.only in run.name and zlib.crc32(run.name.encode()) % options.share == 0
                if wanted and all(configuration.has(word) for word in requires + run.requires):
                    chosen[source].append(run)
    return chosen, depends


def report(options, root):
    work = Path(options.work).resolve()
    for folder in (work / "programs", work / "differ"):
        folder.mkdir(parents=True, exist_ok=True)
    configuration = Configuration()
    chosen, depends = select(options, root, configuration)
    counts, used, bad = collections.Counter(), 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        built = {
            source: pool.submit(build, source, depends[source], configuration.flags, work / "programs")
            for source in chosen
        }
        programs = {source: program.result() for source, program in built.items()}
        plugin = os.path.abspath(options.plugin)
        runs = {
            pool.submit(compare, run, programs[source], plugin, options.limit, work / "differ"): run
            for source in chosen
            for run in chosen[source]
            if programs[source]
        }
        for done in concurrent.futures.as_completed(runs):
            verdict, with_plugin = done.result()
            counts[verdict] += 1
            used += with_plugin
            if options.verbose and verdict != EQUAL:
                print(f"{WORDS[verdict]}: {runs[done].name}", flush=True)
            if verdict == DIFFERS:
                bad.append(runs[done].name)
    missing = [source for source, program in programs.items() if not program]
    print(f"{len(runs)} runs of {len(programs) - len(missing)} of PETSc's examples, {used} on the device:", end=" ")
    print(", ".join(f"{counts[verdict]} {WORDS[verdict]}" for verdict in range(len(WORDS))))
    for source in missing:
        print(f"not built: {source.relative_to(root)}")
    for name in sorted(bad):
        print(f"FAILED: {name} (outputs: {work / 'differ'})")
    if not used:
        print("FAILED: no run uses the device")
    return bool(bad) or not used


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("plugin")
    parser.add_argument("work", help="folder for programs, and for outputs that differ")
    parser.add_argument("--share", type=int, help="one of so many runs is made; 1: all (default: 12, with --only 1)")
    parser.add_argument("--only", default="", help="runs with this in FOLDER/NAME")
    parser.add_argument("--limit", type=float, default=60, help="seconds of a run")
    parser.add_argument("--verbose", action="store_true", help="names of all runs that are not equal")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.share = options.share or (1 if options.only else 12)
    root = find_sources(os.environ.get("VKSOLVE_PETSC_SOURCE"))
    if not root:
        print("PETSc's examples are not here: left out (VKSOLVE_PETSC_SOURCE may name a checkout of PETSc)")
        return 77
    return report(options, root)


if __name__ == "__main__":
    sys.exit(main())
