"""Threads, processes, signals and callbacks."""

import contextlib
import gc
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
import weakref

from support import *


def solve_in_child(queue, device):
    A = matrix("nos4")
    queue.put(vksolve.cg(A, np.ones(100), context=device)[0])


def use_parents(queue, solver):
    try:
        solver.solve(np.ones(100))
    except vksolve.Error as error:
        queue.put((error.status, str(error)))


def drop_parents(queue, held):
    held.clear()
    queue.put(int(vksolve.cg(matrix("nos4"), np.ones(100), context="host")[1]))


def in_four_threads(work):
    """Calls work(0) to work(3) at once."""
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


class Threads(Case):
    def test_four_threads_solve_beside_blas(self):
        A, got, want = matrix("bodyy4"), {}, None
        b = A @ random(A.shape[0])
        want = vksolve.cg(A, b)[0]

        def work(k):
            square = random(300, 300, seed=k)
            for _ in range(3):
                square @ square
                got[k] = vksolve.cg(A, b)[0]

        in_four_threads(work)
        self.assertEqual(len(got), 4)
        for x in got.values():
            np.testing.assert_array_equal(x, want)

    def test_a_thread_makes_matrices_when_the_main_thread_has_ended(self):
        """Python starts no threads then."""
        child = subprocess.run([sys.executable, "-c", AFTER_MAIN], capture_output=True, text=True, timeout=60)
        self.assertEqual((child.stdout, child.stderr), ("2.0\n", ""))

    def test_threads_have_contexts_of_their_own_which_are_used_again(self):
        from vksolve import _context

        mine, seen = _context.default_context("host"), []

        def work():
            seen.append(_context.default_context("host"))

        for _ in range(3):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join(60)
            for _ in range(500):  # what a thread had is released soon after its end
                if ("host", seen[-1]) in _context._returned:
                    break
                time.sleep(0.01)
        self.assertIs(seen[0], seen[1])
        self.assertIsNot(seen[0], mine)

    def test_threads_may_share_a_solver(self):
        A, wrong = matrix("nos4"), []
        solver = vksolve.Solver(A, "cg")

        def work(k):
            b = random(100, seed=k)
            for _ in range(20):
                if np.linalg.norm(A @ solver.solve(b) - b) > 2e-8 * np.linalg.norm(b):
                    wrong.append(k)

        in_four_threads(work)
        self.assertEqual(wrong, [])

    def test_threads_may_share_a_preconditioner(self):
        n, wrong = 50000, []
        P = vksolve.precond.Jacobi().setup(scipy.sparse.identity(n, format="csr") * 2)

        def work(k):
            r = np.full(n, k + 1.0)
            wrong.extend(k for _ in range(50) if not np.array_equal(P @ r, r / 2))

        in_four_threads(work)
        self.assertEqual(wrong, [])

    def test_what_a_callback_raises_is_raised_in_its_thread(self):
        n, raised = 300000, threading.Event()
        b, outcome = np.ones(n), []

        def callback(progress):
            if threading.current_thread() is other:
                return True
            raised.set()
            raise KeyError("of the first thread")

        solver = vksolve.Solver(scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n)).tocsr(), "cg", "none", callback=callback)

        def second():
            raised.wait(60)
            try:
                solver.solve(b)
                outcome.append(solver.reports[0].reason)
            except KeyError as error:
                outcome.append(error)

        other = threading.Thread(target=second)
        other.start()
        self.refuses(KeyError, "of the first thread", solver.solve, b)
        other.join(60)
        self.assertEqual(outcome, ["CANCELLED"])

    def test_garbage_waits_for_the_thread_that_is_in_its_context(self):
        context, begun, go_on = vksolve.Context("host"), threading.Event(), threading.Event()

        def callback(progress):
            begun.set()
            go_on.wait(20)
            return True

        A = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(10000, 10000)).tocsr()
        solver = vksolve.Solver(A, "cg", "none", callback=callback, context=context)
        matrices = [vksolve.Matrix(A, context=context) for _ in range(3)]
        thread = threading.Thread(target=solver.solve, args=(np.ones(10000),))
        thread.start()
        self.assertTrue(begun.wait(60))
        matrices.clear()
        self.assertEqual(len(context._doomed), 3)
        go_on.set()
        thread.join(60)
        self.assertEqual(len(context._doomed), 0)


class Forks(Case):
    def ask(self, target, *arguments):
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        child = context.Process(target=target, args=(queue,) + arguments, daemon=True)  # one that waits for ever ends with the tests
        child.start()
        answer = queue.get(timeout=20)
        child.join(60)
        self.assertEqual(child.exitcode, 0)
        return answer

    def test_a_child_solves_after_its_parent_did(self):
        want = vksolve.cg(matrix("nos4"), np.ones(100))[0]
        np.testing.assert_array_equal(self.ask(solve_in_child, "host"), want)

    def test_what_the_parent_made_is_refused_in_the_child(self):
        solver = vksolve.Solver(matrix("nos4"), "cg")
        status, words = self.ask(use_parents, solver)
        self.assertEqual(status, "UNSUPPORTED")
        self.assertIn("made before fork()", words)
        solver.solve(np.ones(100))

    def test_a_child_may_drop_it_while_a_thread_of_its_parent_solves(self):
        begun, go_on = threading.Event(), threading.Event()

        def callback(progress):
            begun.set()
            go_on.wait(20)
            return True

        solver = vksolve.Solver(matrix("bodyy4"), "cg", callback=callback)
        held = [vksolve.Matrix(matrix("nos4"), context=solver.context), solver]
        thread = threading.Thread(target=solver.solve, args=(np.ones(17546),))
        thread.start()
        self.assertTrue(begun.wait(60))
        self.assertEqual(self.ask(drop_parents, held), 0)
        go_on.set()
        thread.join(60)
        self.assertEqual(solver.reports[0].reason, "CANCELLED")


AFTER_MAIN = """
import threading, numpy as np, scipy.sparse, vksolve
A = scipy.sparse.identity(3_000_000, format="csr")

def work():
    threading.main_thread().join()
    M = vksolve.Matrix(A, context="host")
    M.update(2 * A)
    print(M.values()[-1], flush=True)

threading.Thread(target=work).start()
"""

LONG = """
import numpy as np, scipy.sparse, vksolve
A = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(200000, 200000)).tocsr()
print("begins", flush=True)
try:
    vksolve.cg(A, np.random.default_rng(1).random(200000), rtol=1e-14, maxiter=10**9, M="jacobi", context="host")
except KeyboardInterrupt:
    print("interrupted", vksolve.cg(A[:9, :9], np.ones(9), context="host")[1], flush=True)
"""

SLOW_TO_FACTOR = """
import numpy as np, scipy.sparse, vksolve
n = 100000
far = [-30000, -3000, -300, -1, 0, 1, 300, 3000, 30000]
A = scipy.sparse.diags([-1 if k else 9 for k in far], far, shape=(n, n)).tocsr()
M = vksolve.precond.ILUT(600, drop=1e-9, rows="all")
"""

LONG_SET_UP = SLOW_TO_FACTOR + """
try:
    print("begins", flush=True)
    vksolve.Solver(A, "idr", M, context="host")
except KeyboardInterrupt:
    print("interrupted, created", flush=True)
one, A.data = A.data, np.where(A.data < 0, 0, A.data)
solver = vksolve.Solver(A, "idr", M, context="host")
solver.update(one)
try:
    print("begins", flush=True)
    solver.solve(np.ones(n))
except KeyboardInterrupt:
    print("interrupted, updated", flush=True)
solver.update(A.data)
solver.solve(np.ones(n))
print(solver.report.reason, flush=True)
"""

LONG_PRECONDITIONER = SLOW_TO_FACTOR + """
try:
    print("begins", flush=True)
    M.setup(A, context="host")
except KeyboardInterrupt:
    print("interrupted, created", flush=True)
one, A.data = A.data, np.where(A.data < 0, 0, A.data)
matrix = vksolve.Matrix(A, context="host")
P = M.setup(matrix)
matrix.update(one)
try:
    print("begins", flush=True)
    P.update()
except KeyboardInterrupt:
    print("interrupted, updated", flush=True)
try:
    P @ np.ones(n)
except vksolve.InvalidArgumentError:
    print(P.report["reason"], flush=True)
matrix.update(A.data)
P.update()
print(bool(np.allclose(P @ np.ones(n), 1 / 9)), flush=True)
"""


@contextlib.contextmanager
def child_of(script):
    """A process that hears SIGINT, also where this one ignores it, as below nohup, and that ends within a minute."""
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    child = subprocess.Popen([sys.executable, "-c", hears + script], stdout=subprocess.PIPE, text=True)
    bound = threading.Timer(60, child.kill)
    bound.start()
    try:
        yield child
    finally:
        bound.cancel()
        child.kill()
        child.communicate()


class Interrupts(Case):
    def test_control_c_ends_a_solve(self):
        with child_of(LONG) as child:
            self.assertEqual(child.stdout.readline(), "begins\n")
            time.sleep(1)
            child.send_signal(signal.SIGINT)
            begun = time.monotonic()
            self.assertEqual(child.communicate(timeout=30)[0], "interrupted 0\n")
            self.assertLess(time.monotonic() - begun, 10)

    def interrupt_set_ups(self, script, *after):
        with child_of(script) as child:
            for want in ("created", "updated"):
                self.assertEqual(child.stdout.readline(), "begins\n")
                time.sleep(0.3)
                child.send_signal(signal.SIGINT)
                begun = time.monotonic()
                self.assertEqual(child.stdout.readline(), f"interrupted, {want}\n")
                self.assertLess(time.monotonic() - begun, 5)
            for line in after:  # communicate(timeout=) would lose what readline has read ahead
                self.assertEqual(child.stdout.readline(), line)

    def test_control_c_ends_the_set_up_of_a_solver(self):
        self.interrupt_set_ups(LONG_SET_UP, "CONVERGED\n")

    def test_control_c_ends_the_set_up_of_a_preconditioner(self):
        self.interrupt_set_ups(LONG_PRECONDITIONER, "CANCELLED\n", "True\n")

    def test_callbacks_are_reported_and_may_end_a_solve(self):
        A, seen = matrix("bodyy4"), []
        x, info = vksolve.cg(A, np.ones(17546), rtol=1e-12, callback=seen.append)
        self.assertEqual(info, 0)
        self.assertTrue(seen and all(p.residual > 0 and p.target > 0 and p.iteration > 0 for p in seen[1:]))
        x, info = vksolve.cg(A, np.ones(17546), rtol=1e-12, callback=lambda p: p.iteration > 0)
        self.assertEqual(info.report.reason, "CANCELLED")
        self.assertGreater(info, 0)

    def test_what_a_callback_raises_comes_out_after_the_solve(self):
        def fail(progress):
            raise KeyError("of the callback")

        A = matrix("bodyy4")
        solver = vksolve.Solver(A, "cg", callback=fail)
        self.refuses(KeyError, "of the callback", solver.solve, np.ones(17546))
        self.assertEqual(solver.reports[0].reason, "CANCELLED")

    def test_what_was_raised_is_not_kept(self):
        class Mine(Exception):
            pass

        def fail(progress):
            raise Mine

        solver, gone = vksolve.Solver(matrix("bodyy4"), "cg", callback=fail), None
        try:
            solver.solve(np.ones(17546))
        except Mine as error:
            gone = weakref.ref(error)
        gc.collect()
        self.assertIsNone(gone())


if __name__ == "__main__":
    unittest.main()
