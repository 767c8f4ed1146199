"""Writes the C source of the module _vksolve, whose declarations are those of the installed headers.

usage: build.py COMPILER INCLUDE OUTPUT
"""

import re
import subprocess
import sys

import cffi

# A call with structs that may grow is an inline function; here its prototype is wanted.
CALLS = ["-DVKS_CALL(...)=", "-DVKS_NO_SHORT_NAMES"]

OF_PYTHON = """
extern "Python" int vksolve_progress(void *user, const vks_progress *progress);
static const double VKS_WEIGHT_AUTO;
"""

# CFFI knows these.
KNOWN = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|\bstatic inline\b|\b_Bool\b")


def declarations(compiler, include):
    """The lines of vksolve's own headers after the preprocessor, without attributes."""
    command = [compiler, "-E", "-I", include, *CALLS, "-x", "c", include + "/vksolve/vksolve.h"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    ours, lines = False, []
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = "/vksolve/" in marker[1]
        elif ours:
            lines.append(line)
    text = KNOWN.sub(lambda match: "bool" if match[0] == "_Bool" else "", "\n".join(lines))
    return re.sub(r"(\d)u\b", r"\1", text)


def main():
    compiler, include, output = sys.argv[1:]
    ffi = cffi.FFI()
    ffi.cdef(declarations(compiler, include) + OF_PYTHON)
    ffi.set_source("vksolve._vksolve", '#define VKS_NO_SHORT_NAMES\n#include "vksolve/vksolve.h"')
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
