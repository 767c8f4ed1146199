"""Files: what NumPy and SciPy write is read as they read it, from files and pipes; what is wrong has an errno."""

import fcntl
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import termios
import threading
import time

from support import *


def boeing(kind, A, per_line, format_, value):
    """A Harwell-Boeing file of a matrix, whose values are written by that format."""
    A = scipy.sparse.csc_matrix(A)
    A.sort_indices()
    lines = lambda values, count, text: ["".join(map(text, values[k:k + count])) for k in range(0, len(values), count)]
    parts = [lines(A.indptr + 1, 16, "{:5d}".format), lines(A.indices + 1, 16, "{:5d}".format),
             [] if kind[0] == "P" else lines(A.data, per_line, value)]
    sizes = [sum(map(len, parts)), *map(len, parts), 0]
    header = ["Title".ljust(72) + "KEY", "".join(map("{:14d}".format, sizes)),
              kind.ljust(14) + "".join(map("{:14d}".format, (*A.shape, A.nnz, 0))), "(16I5)".ljust(16) * 2 + format_]
    return "\n".join(header + sum(parts, [])) + "\n"


class Files(Case):
    def test_reads_what_scipy_reads(self):
        for name in sorted(os.listdir(MATRICES)):
            if not name.endswith(".mtx.gz"):
                continue
            got, want = vksolve.read(os.path.join(MATRICES, name)), scipy.io.mmread(os.path.join(MATRICES, name))
            with self.subTest(name):
                if isinstance(want, np.ndarray):
                    np.testing.assert_array_equal(got, want)
                else:
                    self.assertEqual(got.shape, want.shape)
                    self.assertEqual(abs(got - want).max(), 0)

    def test_what_is_written_is_read_to_the_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            A = matrix("bcsstk14") / 3
            vksolve.write(folder + "/a.mtx.gz", A)
            got = vksolve.read(folder + "/a.mtx.gz")
            np.testing.assert_array_equal(got.data, A.data)
            np.testing.assert_array_equal(got.indices, A.indices)
            single = A.astype(np.float32)
            vksolve.write(folder + "/s.mtx", single)
            np.testing.assert_array_equal(vksolve.read(folder + "/s.mtx").data, single.data)
            for B in (random(5, 3), random(4), random(6, 2)[::2], np.asfortranarray(random(3, 4))):
                vksolve.write(folder + "/b.mtx", B)
                np.testing.assert_array_equal(vksolve.read(folder + "/b.mtx"), B.reshape(len(B), -1))
            vksolve.write(folder + "/m.mtx", vksolve.Matrix(A))
            self.assertEqual(abs(vksolve.read(folder + "/m.mtx") - A).max(), 0)

    def test_what_cannot_be_read_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refuses(OSError, "no.mtx: cannot be opened", vksolve.read, folder + "/no.mtx")
            self.refuses(ValueError, "null byte", vksolve.read, folder + "/a\0b")
            self.refuses(ValueError, "null byte", vksolve.write, folder + "/a\0b", np.ones(3))
            for ending in (".xz", ".bz2", ".npy"):
                self.refuses(ValueError, "cannot be written: ", vksolve.write, folder + "/b" + ending, np.ones(3))
            with open(folder + "/bad.mtx", "w") as f:
                f.write("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n")
            self.refuses(vksolve.FormatError, "bad.mtx:3: ", vksolve.read, folder + "/bad.mtx")
            self.refuses(OSError, "cannot be", vksolve.write, folder + "/no/b.mtx", np.ones(3))
            self.refuses(ValueError, "not finite", vksolve.write, folder + "/b.mtx", np.array([np.nan]))
            self.assertFalse(os.path.exists(folder + "/b.mtx"))

    def same(self, path, want):
        got = vksolve.read(path)
        self.assertEqual((got.shape, scipy.sparse.issparse(got)), (want.shape, scipy.sparse.issparse(want)))
        if want.size:
            self.assertEqual(abs(got - want).max(), 0)

    def test_what_numpy_and_scipy_write(self):
        A, S = (scipy.sparse.random(*shape, 0.2, random_state=1, format="csr") for shape in ((30, 20), (24, 24)))
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/file"
            for kind in ("csr", "csc", "coo", "bsr", "dia"):
                for M in (A, S, scipy.sparse.kron(S, np.ones((2, 3)))):
                    for type_, compressed in ((np.float64, True), (np.float32, False), (np.int32, True)):
                        with self.subTest(kind=kind, type=type_), open(path, "wb") as f:
                            scipy.sparse.save_npz(f, (100 * M).astype(type_).asformat(kind), compressed=compressed)
                        self.same(path, (100 * M).astype(type_).astype(float).tocsr())
            x = random(4, 3)
            for array in (x, np.asfortranarray(x), x.astype(">f8"), x.astype("f4"), x.astype("f2"), (9 * x).astype(">i2"), x > 0,
                          x[0], x[:0], x[:, :0], (99 * abs(x)).astype("u8")):
                with open(path, "wb") as f:
                    np.save(f, array)
                with self.subTest(type=array.dtype, shape=array.shape):
                    self.same(path, np.atleast_2d(array.astype(float).T).T)
            for version in "45":
                for M in (x, S):
                    scipy.io.savemat(path, {"A": M}, format=version, appendmat=False)
                    self.refuses(ValueError, "a MATLAB file", vksolve.read, path)
            for format_, delimiter in (("%.18e", " "), ("%.17g", ","), ("%.17g", "\t"), ("%.17g", "; ")):
                np.savetxt(path, x, fmt=format_, delimiter=delimiter, header="a\nb", footer="c")
                self.same(path, x)
            for M in (A.copy(), A.tocsc(), A.tobsr((2, 2))):  # with more data than SciPy takes
                M.data, M.indices = np.concatenate([M.data, M.data[:3]]), np.append(M.indices, M.indices[:3])
                with open(path, "wb") as f:
                    scipy.sparse.save_npz(f, M)
                self.same(path, A)
            with open(path, "wb") as f:
                np.savez(f, **{"x" * 80: x})
            self.same(path, x)
            scipy.io.hb_write(path, A.tocsc())  # with wider fields than its header says
            self.same(path, scipy.io.hb_read(path).tocsr())

    def test_formats_of_fortran(self):
        S = scipy.sparse.random(24, 24, 0.2, random_state=2, format="csr")
        symmetric, skew, tenths = S + S.T, S - S.T, S.copy()
        tenths.data = np.floor(1000 * S.data) / 10
        double = lambda value: f"{value:25.16E}".replace("E", "D")
        cases = [("RUA", S, 3, "(1P,3D25.16)", double, S), ("RSA", scipy.sparse.tril(symmetric), 3, "(1P3E25.16)", double, symmetric),
                 ("RZA", scipy.sparse.tril(skew), 3, "(3(D25.16))", double, skew), ("RUA", tenths, 10, "(10F7.1)", "{:7.1f}".format, tenths),
                 ("RRA", tenths, 10, "(10F7.1)", lambda value: f"{round(10 * value):7d}", tenths), ("PUA", S, 1, "", None, S != 0)]
        with tempfile.TemporaryDirectory() as folder:
            for kind, A, per_line, format_, value, want in cases:
                with self.subTest(kind=kind, format=format_), open(folder + "/a", "w") as f:
                    f.write(boeing(kind, A, per_line, format_, value))
                self.same(folder + "/a", want.astype(float))

    def test_pipes_are_opened_once(self):
        A = matrix("nos4")
        with tempfile.TemporaryDirectory() as folder:
            vksolve.write(folder + "/a.mtx", A)
            with open(folder + "/a.mtx", "rb") as f:
                whole = f.read()
            os.mkfifo(folder + "/fifo")

            def feed():
                with open(folder + "/fifo", "wb") as f:
                    f.write(whole)

            thread = threading.Thread(target=feed)
            thread.start()
            self.assertEqual(abs(vksolve.read(folder + "/fifo") - A).max(), 0)
            thread.join()
        program = "import sys, vksolve\nprint('first')\nA = vksolve.read(sys.argv[1])\nvksolve.write(sys.argv[2], A)"
        for paths in (("-", "-"), ("/dev/stdin", "/dev/stdout"), ("/dev/fd/0", "/dev/fd/1")):
            done = subprocess.run([sys.executable, "-c", program, *paths], input=whole, stdout=subprocess.PIPE, check=True)
            self.assertEqual(done.stdout, b"first\n" + whole)

    def test_a_pipe_without_data_can_be_interrupted(self):
        child = subprocess.Popen([sys.executable, "-c", "import vksolve\nvksolve.read('-')"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdin.write(b"%")
        child.stdin.flush()
        end = time.monotonic() + 60
        while time.monotonic() < end and child.poll() is None:
            if fcntl.ioctl(child.stdin, termios.FIONREAD, bytes(4)) == bytes(4):  # it has read that, and waits for more
                child.send_signal(signal.SIGINT)
            time.sleep(0.1)
        child.kill()
        self.assertIn(b"KeyboardInterrupt", child.communicate()[1])

    def test_files_do_not_need_standard_output(self):
        program = "import os, sys, vksolve\nprint('unread')\nvksolve.write(sys.argv[1], [1.0])\nos._exit(0)"
        with tempfile.TemporaryDirectory() as folder:
            for redirection in (">&-", "| true"):  # closed; a pipe that nothing reads
                path = folder + "/" + redirection.replace(" ", "")
                subprocess.run(["bash", "-c", f'"$@" {redirection}', "-", sys.executable, "-c", program, path], check=True,
                               env=dict(os.environ, PYTHONUNBUFFERED=""))
                np.testing.assert_array_equal(vksolve.read(path), [[1]])

    def test_the_header_decides_what_it_is(self):
        with tempfile.TemporaryDirectory() as folder:
            for text, kind in (("coordinate real general\r% an array\r2 1 1\r1 1 1\r", scipy.sparse.csr_matrix),
                               ("array real general\n% coordinate\n2 1\n1\n2\n", np.ndarray)):
                with open(folder + "/a", "w", newline="") as f:
                    f.write("%%MatrixMarket matrix " + text)
                self.assertIsInstance(vksolve.read(folder + "/a"), kind)

    def test_errors_of_files_are_those_of_python(self):
        for error, errno, call in ((FileNotFoundError, 2, lambda: vksolve.read("/no/a.mtx")), (IsADirectoryError, 21, lambda: vksolve.read("/")),
                                   (FileNotFoundError, 2, lambda: vksolve.write("/no/a.mtx", np.ones(3))),
                                   (IsADirectoryError, 21, lambda: vksolve.write("/", np.ones(3))),
                                   (vksolve.FileError, 28, lambda: vksolve.write("/dev/full", np.ones(3)))):
            with self.assertRaises(error) as caught:
                call()
            e = caught.exception
            self.assertIsInstance(e, vksolve.FileError)
            self.assertEqual((e.errno, e.strerror, e.status), (errno, os.strerror(errno), "FILE"))
            self.assertTrue(str(e).startswith(e.filename + ": cannot be "), e)
            copy = pickle.loads(pickle.dumps(e))
            self.assertEqual((type(copy), str(copy), copy.errno, copy.filename), (type(e), str(e), errno, e.filename))


if __name__ == "__main__":
    unittest.main()
