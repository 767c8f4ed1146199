"""The largest difference between two solutions, relative to the largest value: compare_dolfinx.py FILE FILE. Partitions differ from run
to run, so nodes are matched by their coordinates."""

import glob
import sys

import numpy


def nodes(file):
    all = numpy.concatenate([numpy.load(part) for part in sorted(glob.glob(file + "-*.npy"))])
    return all[numpy.lexsort(numpy.round(all[:, :3], 9).T)]


one, other = nodes(sys.argv[1]), nodes(sys.argv[2])
assert one.shape == other.shape and abs(one[:, :3] - other[:, :3]).max() < 1e-9, "other nodes"
print(f"difference {abs(one[:, 3:] - other[:, 3:]).max() / abs(one[:, 3:]).max():.1e}")
