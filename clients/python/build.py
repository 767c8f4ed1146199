"""Writes the C source of the module _vksolve, whose declarations are those of the installed headers.

usage: build.py HEADERS OUTPUT (HEADERS: a file of them after the preprocessor)
"""

import re
import sys
from pathlib import Path

import cffi

OF_PYTHON = """
extern "Python" int vksolve_progress(void *user, const vks_progress *progress);
static const double VKS_WEIGHT_AUTO;
"""

# CFFI accepts these.
KNOWN = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|\bstatic inline\b|\b_Bool\b")


def declarations(headers):
    """The lines of vksolve's own headers, without attributes."""
    ours, lines = False, []
    for line in headers.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = "/vksolve/" in marker[1]
        elif ours:
            lines.append(line)
    text = KNOWN.sub(lambda match: "bool" if match[0] == "_Bool" else "", "\n".join(lines))
    return re.sub(r"(\d)u\b", r"\1", text)


def main():
    headers, output = sys.argv[1:]
    ffi = cffi.FFI()
    ffi.cdef(declarations(Path(headers).read_text()) + OF_PYTHON)
    ffi.set_source("vksolve._vksolve", '#define VKS_NO_SHORT_NAMES\n#include "vksolve/vksolve.h"')
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
