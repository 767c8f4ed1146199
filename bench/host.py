"""host.py LIBRARY FILE.mtx: microseconds an iteration of a solve that a Python process has the library do."""
import ctypes as c
import sys
import time


class Report(c.Structure):  # the beginning of vks_solve_report
    _fields_ = [("reason", c.c_int), ("detail", c.c_char * 256), ("warning", c.c_char * 256), ("method", c.c_int),
                ("precond", c.c_int), ("blocks", c.c_uint32), ("largest_block", c.c_uint32),
                ("iterations", c.c_uint32), ("rest", c.c_char * 4096)]


class Options(c.Structure):  # of vks_context_options
    _fields_ = [("device", c.c_char_p), ("rest", c.c_char * 256)]


vks = c.CDLL(sys.argv[1])


def call(name, *args):
    status = getattr(vks, name)(*args)
    if status:
        sys.exit(f"{name}: status {status}")


context, A, one, b, x = (c.c_void_p() for _ in range(5))
call("vks_context_create", c.byref(Options(device=b"host")), c.byref(context))
call("vks_matrix_read", context, sys.argv[2].encode(), None, c.byref(A))
n = vks.vks_matrix_rows(A)
for v in one, b, x:
    call("vks_vector_create", context, n, 0, c.byref(v))
call("vks_vector_fill", one, c.c_double(1))
call("vks_spmv", A, one, b)
call("vks_vector_fill", x, c.c_double(0))
report = Report()
begun = time.perf_counter()
call("vks_solve", A, b, x, None, c.byref(report))
print(f"{1e6 * (time.perf_counter() - begun) / report.iterations:.1f}")
