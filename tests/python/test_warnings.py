"""What is said of a solve: warnings, hints, the report, a live line; and what scipy's functions take."""

import contextlib
import inspect
import io
import pickle
import subprocess
import sys
import warnings

from support import *

SAME = "auto(device=any,direct=no)"  # the same attempts whether or not UMFPACK is there
COMMANDS_WORDS = ("--", "vks_", "VKS_", "amg(")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@contextlib.contextmanager
def recorded():
    with warnings.catch_warnings(record=True) as list_:
        warnings.simplefilter("always")
        yield list_


def chain(n=200, diagonal=2.0):
    return scipy.sparse.diags([-1, diagonal, -1], [-1, 0, 1], shape=(n, n)).tocsr()


class Warnings(Case):
    def test_a_solve_that_does_not_converge_warns_at_the_line_of_the_program(self):
        for call in (lambda: vksolve.cg(chain(), np.ones(200), maxiter=3), lambda: vksolve.solve(chain(), np.ones(200), method=SAME, maxiter=3),
                     lambda: vksolve.Solver(chain(), "cg", maxiter=3).solve(np.ones(200)),
                     lambda: vksolve.lsmr(chain(), np.ones(200), maxiter=3)):
            with recorded() as list_:
                call()
            self.assertEqual([w.category for w in list_], [vksolve.SolveWarning])
            self.assertEqual(os.path.basename(list_[0].filename), os.path.basename(__file__))
            self.assertIn("maxiter=3", inspect.getsource(call).splitlines()[0])
            self.assertIn("ITERATION_LIMIT: the iteration limit was reached (", str(list_[0].message))
            self.assertIn("hint: a larger maxiter allows more iterations", str(list_[0].message))
            self.assertIn(list_[0].lineno, range(call.__code__.co_firstlineno, call.__code__.co_firstlineno + 2))

    def test_a_solver_warns_once_for_the_same_thing(self):
        b = np.ones(200)
        with recorded() as list_:
            solver = vksolve.Solver(chain(), "cg", maxiter=3)
            solver.solve(b)
            solver.solve(np.ones((200, 4)))
            self.assertEqual(len(list_), 1)
            solver.update(-chain())
            solver.solve(b)
        self.assertEqual(len(list_), 2)
        self.assertIn("NOT_POSITIVE_DEFINITE", str(list_[1].message))

    def test_what_went_well_or_was_ended_by_the_program_does_not_warn(self):
        with recorded() as list_:
            vksolve.solve(chain(), np.ones(200))
            info = vksolve.cg(chain(5000), np.ones(5000), callback=lambda progress: True)[1]
        self.assertEqual((info.report.reason, list_), ("CANCELLED", []))

    def test_a_warning_is_raised_even_if_converged(self):
        with recorded() as list_:
            info = vksolve.solve(matrix("jagmesh7"), np.ones(1138), method="jacobi", maxiter=8)[1]
        self.assertTrue(info.report.warning and info.report.warning in str(list_[0].message))

    def test_warnings_can_be_raised_or_silenced(self):
        solver = vksolve.Solver(chain(), "cg", maxiter=3)
        with warnings.catch_warnings():
            warnings.simplefilter("error", vksolve.SolveWarning)
            self.refuses(vksolve.SolveWarning, "ITERATION_LIMIT", solver.solve, np.ones(200))
            self.assertEqual(solver.report.iterations, 3)
            warnings.simplefilter("ignore", vksolve.SolveWarning)
            vksolve.cg(chain(), np.ones(200), maxiter=3)

    def test_hints_are_in_options_of_python(self):
        b = np.ones(200)
        of = {"method=\"minres\"": dict(A=chain(diagonal=1.0), method="cg"), "rtol=": dict(A=chain(2000), precision="f32", rtol=1e-12, method="cg"),
              "maxiter": dict(A=chain(), method=SAME, maxiter=2), "numpy.flatnonzero": dict(A=chain(diagonal=0.0), method="cg"),
              "method=\"lsmr\"": dict(A=scipy.sparse.csr_matrix((200, 200)), method="gauss-jordan")}
        for words, options in of.items():
            A = options.pop("A")
            info = vksolve.solve(A, 1.0 + np.arange(A.shape[0]) % 3, **options)[1]
            self.assertIn(words, info.hint)
            self.assertEqual(info.hint, info.report.hint)
            for other in COMMANDS_WORDS:
                self.assertNotIn(other, info.hint + info.report.warning + info.report.detail)
        self.assertEqual(vksolve.solve(chain(), b)[1].hint, "")

    def test_a_neumann_problem_gets_a_hint_at_null_space(self):
        A = chain(700).tolil()
        A[0, 0] = A[699, 699] = 1
        info = vksolve.cg(A.tocsr(), np.arange(700) % 7.0, M="amg")[1]
        self.assertIn("the rows of A sum to zero", info.report.warning)
        self.assertIn("null_space=\"constants\" keeps the constants out of the solve", info.hint)

    def test_a_report_prints_as_that_of_the_command(self):
        A, b = matrix("bcsstk14"), np.ones(1806)
        report = vksolve.cg(A, b, M="amg", rtol=1e-8)[1].report
        lines = str(report).splitlines()
        self.assertEqual(lines[0], f"{report.reason}: {report.detail or report.reason_text}")
        for name in ("method      cg with amg", "levels      ", "time        set-up ", "iterations  ", "residual    ", "device      "):
            self.assertTrue(any(line.startswith(name) for line in lines), f"{name} in {report}")
        self.assertTrue(repr(report).startswith("<vksolve.Report: "))
        self.assertEqual(str(pickle.loads(pickle.dumps(report))), str(report))

    def test_a_line_tells_how_far_a_solve_is(self):
        A, b = chain(20000), np.ones(20000)
        for stream, live in ((Terminal(), True), (io.StringIO(), False)):
            with contextlib.redirect_stderr(stream):
                report = vksolve.cg(A, b, verbose=True, maxiter=3000)[1].report
            lines = stream.getvalue().split("\r")
            self.assertEqual(len(lines) > 1, live)
            self.assertIn(f"vksolve: {report.reason} after {report.course}", lines[-1])
            self.assertTrue(lines[-1].endswith(" s\n"))
            self.assertLessEqual(len(lines), 3 + 10 * (report.seconds_setup + report.seconds_solve))

    def test_a_line_ends_where_something_is_raised(self):
        def stop(progress):
            raise KeyError("stop")

        with contextlib.redirect_stderr(Terminal()) as stream:
            self.refuses(KeyError, "stop", vksolve.cg, chain(20000), np.ones(20000), verbose=True, callback=stop)
        self.assertTrue(stream.getvalue().endswith("\n"))

    def test_a_device_that_lies_is_passed_over_with_a_warning(self):
        lying = os.path.join(os.path.dirname(vksolve.__file__), "..", "..", "tests", "lying")
        if not os.path.exists(os.path.join(lying, "libvulkan.so.1")):
            self.skipTest("there is no lying loader")
        program = ("import vksolve, warnings\nwarnings.simplefilter('error')\n"
                   "for device in 'auto', 'gpu':\n    try:\n        vksolve.Context(device)\n"
                   "    except Exception as error:\n        print(type(error).__name__, error)")
        environment = dict(os.environ, LD_LIBRARY_PATH=lying, LYING_DEVICE="discrete,nothing")
        out = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout
        first, second = out.splitlines()
        self.assertIn("DeviceWarning passed over: ", first)
        self.assertIn("NoDeviceError no GPU that vksolve can use", second)
        for line in (first, second):
            self.assertIn("does not work: a kernel whose result is", line)

    def test_the_environment_names_the_device_of_calls_that_name_none(self):
        program = ("import vksolve, numpy\nassert vksolve.Context('HOST').device['uuid'] == ''\n"
                   "for call in vksolve.Context, lambda: vksolve.cg(numpy.eye(2), numpy.ones(2)):\n"
                   "    try:\n        call()\n    except vksolve.NoDeviceError as error:\n        print(error)")
        environment = dict(os.environ, VKSOLVE_DEVICE="nonsense")
        out = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout
        self.assertEqual(out.count('VKSOLVE_DEVICE is "nonsense": no device is called "nonsense"'), 2)


class OptionsOfScipy(Case):
    def test_what_is_harmless_is_taken(self):
        A, b = chain(50, 4.0), np.ones(50)
        for name, options in (("cg", dict(atol=None)), ("bicgstab", dict(atol="legacy", tol=1e-6)), ("gmres", dict(restrt=20)),
                              ("gmres", dict(callback_type="legacy")), ("gmres", dict(callback_type="x")), ("gmres", dict(maxiter=40.0)),
                              ("minres", dict(shift=0.0, show=False, check=True)), ("lsmr", dict(conlim=1e4, show=False))):
            self.assertEqual(vksolve.__dict__[name](A, b, **options)[1] in (0, 1), True, f"{name} {options}")

    def test_callbacks_of_gmres_get_the_residual(self):
        seen = []
        info = vksolve.gmres(chain(2000), np.ones(2000), maxiter=200, callback=lambda r: seen.append(r) or True, callback_type="pr_norm")[1]
        self.assertEqual(info.report.iterations, 200)
        self.assertTrue(seen and all(isinstance(r, float) for r in seen))

    def test_show_is_verbose(self):
        for call in (lambda: vksolve.minres(chain(), np.ones(200), show=True), lambda: vksolve.lsmr(chain(), np.ones(200), show=True)):
            with contextlib.redirect_stderr(io.StringIO()) as stream:
                call()
            self.assertTrue(stream.getvalue().startswith("vksolve: "))

    def test_what_is_not_harmless_is_refused_in_words(self):
        A, b = chain(50, 4.0), np.ones(50)
        unsymmetric = scipy.sparse.diags([-1, 4, -2], [-1, 0, 1], shape=(50, 50)).tocsr()
        for words, name, options in (("shift is 0.5; give minres the matrix A - 0.5 *", "minres", dict(shift=0.5)),
                                     ("x is on the device", "gmres", dict(callback_type="x", callback=print)),
                                     ("callback_type is 'y'", "gmres", dict(callback_type="y")),
                                     ("atol is inf; it must be a finite number", "cg", dict(atol=np.inf)),
                                     ("btol is inf", "lsmr", dict(btol=np.inf)), ("atol is -1", "cg", dict(atol=-1)),
                                     ("the restart, 101, must be from 1 to 100", "gmres", dict(restart=101))):
            self.refuses(ValueError, words, vksolve.__dict__[name], A, b, **options)
        self.refuses(ValueError, "A is not symmetric, as minres needs it", vksolve.minres, unsymmetric, b, check=True)
        self.refuses(TypeError, "with check=True", vksolve.minres, vksolve.Matrix(A), b, check=True)
        self.refuses(TypeError, "take one of vksolve.precond", vksolve.cg, A, b, M=scipy.sparse.linalg.aslinearoperator(A))
        self.refuses(TypeError, "x0 has values of type", vksolve.bicgstab, A, b, x0="Mb")
        self.refuses(TypeError, "show", vksolve.cg, A, b, show=True)


if __name__ == "__main__":
    unittest.main()
