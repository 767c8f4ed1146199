#!/usr/bin/env python3
"""Tables of figures in the documents, from CSV files in bench/results.

A line "<!-- table NAME -->" in a document stands above the table of bench/results/NAME.csv. The CSV has the
cells as they are shown, but for commas in whole numbers; "# key: value" lines before tell when, where and of
which commit they were measured, and how columns are aligned (l or r for each)."""

import argparse
import csv
import datetime
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
FACTS = ("date", "device", "commit", "align")
MARKER = re.compile(r"<!-- table (\S+) -->")


class Wrong(Exception):
    """What is wrong with a file, with its name."""


def read(name):
    """The facts and the rows of a table; the first row names the columns."""
    path = RESULTS / f"{name}.csv"
    if not path.is_file():
        raise Wrong(f"there is no {path.relative_to(ROOT)}")
    lines = path.read_text(encoding="utf-8").splitlines()
    listed = [line[2:].split(": ", 1) for line in lines if line.startswith("# ")]
    facts = {fact[0]: fact[1] for fact in listed if len(fact) == 2}
    missing = [fact for fact in FACTS if not facts.get(fact)]
    if missing:
        raise Wrong(f"{path.relative_to(ROOT)}: there is no line '# {missing[0]}: ...'")
    rows = list(csv.reader(line for line in lines if not line.startswith("# ")))
    for row in rows:
        if len(row) != len(facts["align"]):
            raise Wrong(f"{path.relative_to(ROOT)}: {len(row)} cells, and {len(facts['align'])} columns: {row}")
    return facts, rows


def shown(cell):
    """A cell as a document has it: 1,234,567."""
    return re.sub(r"\B(?=(\d{3})+$)", ",", cell) if re.fullmatch(r"\d{4,}", cell) else cell


def table(name):
    """The lines of a table in Markdown."""
    facts, rows = read(name)
    lines = ["|" + "".join(f" {shown(cell)} |" if cell else " |" for cell in row) for row in rows]
    return lines[:1] + ["|" + "".join({"l": "---|", "r": "--:|"}[a] for a in facts["align"])] + lines[1:]


def written(text, seen):
    """The text of a document with its tables as the CSV files have them; adds their names to `seen`."""
    lines, old = [], False
    for line in text.split("\n"):
        old = old and line.startswith("|")
        if not old:
            lines.append(line)
        marker = MARKER.fullmatch(line)
        if marker:
            lines += table(marker[1])
            seen.append(marker[1])
            old = True
    return "\n".join(lines)


def dates(name):
    """The days on which a table was measured."""
    return re.findall(r"\d{4}-\d\d-\d\d", read(name)[0]["date"])


def write_tables(documents, check):
    """Writes the tables, or only looks whether they are as written; returns an exit code."""
    seen, wrong = [], []
    for path in documents:
        text = path.read_text(encoding="utf-8")
        before = len(seen)
        new = written(text, seen)
        wrong += [f"{path.relative_to(ROOT)}: tells no figures of {date}, the date of bench/results/{name}.csv"
                  for name in seen[before:] for date in dates(name) if date not in new]
        if new != text and check:
            wrong.append(f"{path.relative_to(ROOT)}: a table is not what its CSV gives: ./run bench tables")
        elif new != text:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(ROOT))
    unused = {path.stem for path in RESULTS.glob("*.csv")} - set(seen)
    wrong += [f"bench/results/{name}.csv stands in no document" for name in sorted(unused)]
    print("\n".join(wrong + [f"{len(seen)} tables"]))
    return 1 if wrong else 0


def take(name, device):
    """Writes the CSV of a table of tab-separated values, which programs of ./run bench print."""
    rows = [line.rstrip("\n").split("\t") for line in sys.stdin if "\t" in line]
    if not rows:
        raise Wrong("standard input has no tab-separated values")
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
    facts = (datetime.date.today().isoformat(), device, commit.stdout.strip() or "not recorded",
             "l" + "r" * (len(rows[0]) - 1))
    path = RESULTS / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {fact}: {value}\n" for fact, value in zip(FACTS, facts))
        csv.writer(file, lineterminator="\n").writerows(rows)
    read(name)
    print(path.relative_to(ROOT))
    return 0


def main():
    parser = argparse.ArgumentParser(prog="./run bench tables", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 where a table is another")
    parser.add_argument("--take", metavar="NAME", help="make NAME.csv of tab-separated values on standard input")
    parser.add_argument("--device", help="for --take: what they were measured on")
    given = parser.parse_args()
    if bool(given.take) != bool(given.device):
        parser.error("--take and --device come together")
    try:
        if given.take:
            return take(given.take, given.device)
        return write_tables(sorted((ROOT / "docs" / "measurements").glob("*.md")), given.check)
    except Wrong as wrong:
        print(wrong)
        return 1


if __name__ == "__main__":
    sys.exit(main())
