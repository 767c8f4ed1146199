"""The TEST blocks in the sources of PETSc's examples: what each says of its runs."""

import itertools
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

KEY = re.compile(r"^\s*(\w+)\s*:\s?(.*)$")
LOOP = re.compile(r"\{\{(.*?)\}(?:\s*(?:shared|separate)\s+output\s*)?\}")
ADDED = ("args", "requires", "env")  # a test adds these to those of its testset


@dataclass
class Node:
    """A line `key: value` with those that are indented below it."""

    key: str
    value: str
    indent: int
    below: list = field(default_factory=list)

    def values(self):
        """The keys and values below, in which repeated keys are joined."""
        found = {}
        for node in self.below:
            if not node.below:
                found[node.key] = f"{found.get(node.key, '')} {node.value}".strip()
        return found


@dataclass
class Run:
    """One run of a program. All words of `args` are as a shell reads them."""

    source: Path
    name: str
    processes: int
    args: list
    requires: list
    filter: str
    files: list
    env: str


def read_tree(block):
    """The lines of a block as a tree, by their indentation."""
    root = Node("", "", -1)
    path = [root]
    for line in block.replace("\\\n", " ").split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        match = KEY.match(line.rstrip())
        if not match:
            path[-1].value += " " + line.strip()
            continue
        while path[-1].indent >= indent:
            path.pop()
        node = Node(match[1], match[2].strip(), indent)
        path[-1].below.append(node)
        path.append(node)
    return root


def merged(outer, inner):
    """The values of a test in its testset."""
    both = dict(outer)
    for key, value in inner.items():
        both[key] = f"{both.get(key, '')} {value}".strip() if key in ADDED else value
    if outer.get("suffix") and inner.get("suffix"):
        both["suffix"] = f"{outer['suffix']}_{inner['suffix']}"
    return both


def tests_of(root):
    """The values of each test."""
    for node in root.below:
        if node.key == "test":
            yield node.values()
        elif node.key == "testset":
            inner = [below.values() for below in node.below if below.key == "test" and below.below]
            plain = any(below.key == "test" and not below.below for below in node.below)
            outer = {key: value for key, value in node.values().items() if key != "test"}
            if plain or not inner:
                yield outer
            for values in inner:
                yield merged(outer, values)


def expanded(text):
    """The text for each combination of the values of its loops, with a name of the combination."""
    parts = LOOP.split(text)
    choices = [shlex.split(part) or [""] for part in parts[1::2]]
    for chosen in itertools.product(*choices):
        words = [parts[0]]
        for value, after in zip(chosen, parts[2::2]):
            words += [value, after]
        yield "".join(words), "-".join(chosen)


def runs_of(source, root, names):
    """All runs of a program. `names` are the values of variables in arguments, such as wPETSC_DIR."""

    def replaced(text):
        return re.sub(r"\$\{?(\w+)\}?", lambda match: names.get(match[1], match[0]), text)

    for number, values in enumerate(tests_of(root)):
        if "SKIP" in values or "TODO" in values or "command" in values:
            continue
        name = f"{source.stem}_{values.get('suffix', number + 1)}"
        for args, chosen in expanded(values.get("args", "")):
            for processes, size in expanded(values.get("nsize", "1")):
                yield Run(
                    source,
                    "+".join(part for part in (name, size, chosen) if part),
                    int(processes),
                    shlex.split(replaced(args)),
                    values.get("requires", "").split(),
                    values.get("filter", ""),
                    values.get("localrunfiles", "").split(),
                    values.get("env", ""),
                )


def read(source, names):
    """The runs of a source; the words that its build requires, and the sources that it is built with."""
    text = source.read_text(errors="replace")
    match = re.search(r"/\*TEST(.*?)TEST\*/", text, re.S)
    if not match:
        return [], [], []
    root = read_tree(match[1])
    build = {}
    for node in root.below:
        if node.key == "build":
            build = node.values()
    if "SKIP" in build or "TODO" in build:
        return [], [], []
    depends = [source.parent / name for name in build.get("depends", "").split()]
    return list(runs_of(source, root, names)), build.get("requires", "").split(), depends
