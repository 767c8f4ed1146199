#!/usr/bin/python3 -B
"""Draws small faults in the C sources of src/ and solvers/ and builds them all at once, in build/mutants."""

import argparse
import concurrent.futures
import filecmp
import functools
import hashlib
import itertools
import json
import re
import shlex
import shutil
import subprocess
import zlib
from pathlib import Path

import places
import runner

HERE = Path(__file__).resolve().parent
CODE = HERE.parent.parent
FOLDER = CODE / "build/mutants"
# Programs hold paths: this link to FOLDER is where they are built, and where they run.
LINK = Path(f"/tmp/vksolve-mutants-{zlib.crc32(bytes(CODE)):08x}")
TREE, BUILD = LINK / "tree", LINK / "tree/build/release"
NOT_BUILT = ("docs/", "tests/mutants/", "run")
OF_TESTS = ("tests/", "matrices/", "CMakePresets.json")


def run(*command):
    """Runs a command with its output in build.log, and ends if it fails."""
    with open(FOLDER / "build.log", "a") as log:
        if subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL).returncode:
            raise SystemExit(f"failed: {shlex.join(map(str, command))} (see {FOLDER}/build.log)")


def sources(code, tests):
    """The path of each file of the two trees, by its name in the one that is built."""
    found = {}
    for tree, of_tests in ((code, False), (tests, True)):
        names = subprocess.check_output(["git", "-C", tree, "ls-files", "-co", "--exclude-standard", "-z"], text=True)
        found |= {n: tree / n for n in names.split("\0") if n.startswith(OF_TESTS) == of_tests and (tree / n).is_file()}
    return found


def copy(found):
    """Makes the tree that of the sources; what is the same keeps its time."""
    for path in [p for top in TREE.iterdir() if top.name != "build" for p in (top, *top.rglob("*"))]:
        if path.is_file() and str(path.relative_to(TREE)) not in found:
            path.unlink()
    for name, path in found.items():
        target = TREE / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or not filecmp.cmp(path, target, shallow=False):
            shutil.copy(path, target)


def units():
    """One compile command of each source file: what libclang needs of it."""
    found = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        kept = [w for w in words if w.startswith(("-D", "-I", "-std="))]
        kept += [w for pair in zip(words, words[1:]) if pair[0] == "-isystem" for w in pair]
        if entry["file"].startswith((f"{TREE}/src/", f"{TREE}/solvers/")):
            found[entry["file"]] = {"file": entry["file"], "arguments": kept}
    return list(found.values())


def every_place():
    """All places, each named by its file, function and text, and by how many of that name come before it."""
    with concurrent.futures.ProcessPoolExecutor() as pool:
        found = pool.map(functools.partial(places.in_unit, str(TREE)), units(), chunksize=8)
        distinct = {(p.file, p.start, p.end, p.what): p for p in itertools.chain.from_iterable(found)}
    count = {}
    for _, place in sorted(distinct.items()):
        name = f"{place.file}:{place.function}: {place.what}"
        count[name] = count.get(name, 0) + 1
        yield f"{name} #{count[name]}", place


def mutated(text, start, end, faults):
    """The text from start to end with the faults, which are (place, k), in order of their starts, the longer first."""
    parts = []
    while faults:
        (place, k), *faults = faults
        inside = list(itertools.takewhile(lambda f: f[0].end <= place.end, faults))
        faults = faults[len(inside) :]
        whole, left, right = (
            mutated(text, a, b, [f for f in inside if a <= f[0].start and f[0].end <= b])
            for a, b in ((place.start, place.end), place.left, place.right)
        )
        parts += [text[start : place.start], place.form.format(k=k, all=whole, left=left, right=right)]
        start = place.end
    return "".join(parts) + text[start:end]


def with_faults(file, faults):
    faults = sorted(((p, k) for p, k in faults if p.file == file), key=lambda f: (f[0].start, -f[0].end))
    text = places.text_of(f"{TREE}/{file}")
    return '#include "vks_mutant.h"\n#line 1\n' + mutated(text, 0, len(text), faults)


def draw(number, seed):
    """The places whose names have the least hashes with the seed: other places do not change that. Only those with
    which the file compiles."""
    lenient = ("-DVKS_HOST_ISAS=base", "--compile-no-warning-as-error")
    run("cmake", "--preset", "release", "-S", TREE, "-B", BUILD, *lenient)
    run("cmake", "--build", BUILD, "--target", "vksolve_kernels_generated", "vksolve_entries")
    header = (HERE / "mutant.h").read_text().replace("VKS_MUTANTS]", f"{number + 1}]")
    (TREE / "src/vks_mutant.h").write_text(header)
    all_places = sorted(every_place(), key=lambda p: hashlib.sha256(f"{seed} {p[0]}".encode()).digest())
    print(f"{len(all_places)} places", flush=True)
    faults = []
    for name, place in all_places:
        if len(faults) == number:
            break
        if places.parse(place.unit, [(f"{TREE}/{place.file}", with_faults(place.file, [(place, 1)]))]):
            faults.append((place, len(faults) + 1))
    for file in {place.file for place, _ in faults}:
        (TREE / file).write_text(with_faults(file, faults), encoding="latin-1", newline="")
    return [{"mutant": k, "file": p.file, "function": p.function, "what": p.what} for p, k in faults]


def build(wanted):
    """Builds the suites that a regular expression names; what does not compile is left out. Returns what ctest knows of
    them, for machines without it."""
    run("cmake", "--build", BUILD, "--target", "vksolve_command")
    targets = ["all"]
    if wanted != runner.SUITES:
        known = subprocess.check_output(["cmake", "--build", BUILD, "--target", "help"], text=True)
        names = {f"vksolve_{t['name']}" for t in listed() if re.search(wanted, t["name"])}
        targets = sorted(names & set(re.findall(r"^(\w+):", known, re.MULTILINE)))
    try:
        run("cmake", "--build", BUILD, "--target", *targets, "--", "-k", "0")
    except SystemExit as failure:
        print(f"not all suites: {failure}")
    return [suite(t) for t in listed() if "command" in t and Path(t["command"][0]).exists()]


def listed():
    tests = subprocess.check_output(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], text=True)
    return json.loads(tests.replace(str(TREE.resolve()), str(TREE)))["tests"]


def suite(test):
    of = {p["name"]: p["value"] for p in test["properties"]}
    return {
        "name": test["name"],
        "command": test["command"],
        "folder": of["WORKING_DIRECTORY"],
        "environment": dict(v.split("=", 1) for v in of.get("ENVIRONMENT", ())),
        "fails": "|".join(of.get("FAIL_REGULAR_EXPRESSION", ())),
        "skips": of.get("SKIP_RETURN_CODE"),
        "cost": of.get("COST", 0),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, parents=[runner.parser(add_help=False)])
    parser.add_argument("--number", type=int, default=100, help="number of faults (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: %(default)s)")
    parser.add_argument("--tests", type=Path, default=CODE, help="another tree, whose tests are taken with this code")
    parser.add_argument("--build", action="store_true", help="ends after the build")
    o = parser.parse_args()
    found = sources(CODE, o.tests.resolve())
    inputs = hashlib.sha256(f"{o.number} {o.seed}".encode())
    for name, path in sorted(found.items()):
        if not name.startswith(NOT_BUILT):
            inputs.update(name.encode() + path.read_bytes())
    drawn = FOLDER / "mutants.json"
    FOLDER.joinpath("tree").mkdir(parents=True, exist_ok=True)
    LINK.unlink(missing_ok=True)
    LINK.symlink_to(FOLDER)
    if not drawn.exists() or json.loads(drawn.read_text())["inputs"] != inputs.hexdigest():
        for old in ("mutants.json", "build.log", "baseline.jsonl", "results.jsonl"):
            (FOLDER / old).unlink(missing_ok=True)
        print("drawing (some minutes)", flush=True)
        copy(found)
        drawn.write_text(json.dumps({"inputs": inputs.hexdigest(), "mutants": draw(o.number, o.seed)}, indent=1))
    print("building (half an hour the first time)", flush=True)
    suites = {"link": str(LINK), "suites": build(o.suites)}
    (FOLDER / "suites.json").write_text(json.dumps(suites, indent=1))
    shutil.copy(HERE / "runner.py", FOLDER)
    if not o.build:
        runner.main(FOLDER, o)


if __name__ == "__main__":
    main()
