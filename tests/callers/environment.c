/* Programs that trap floating-point exceptions, use another rounding mode, or flush denormals: solves have
 * the same bits, nothing traps, and the program's environment is restored, including flags. */
#define _GNU_SOURCE /* feenableexcept */
#include "tests/support/gpu_name.h"
#include <vksolve/vksolve.h>

#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300, LONG = 1 << 17 };

struct setting {
    const char *name;
    int traps, rounding;
    bool flushes;
};

static const struct setting settings[] = {
    {"traps", FE_ALL_EXCEPT, FE_TONEAREST, false}, {"upward", 0, FE_UPWARD, false},
    {"downward", 0, FE_DOWNWARD, false},           {"toward zero", 0, FE_TOWARDZERO, false},
    {"flushed denormals", 0, FE_TONEAREST, true},  {"all of it", FE_ALL_EXCEPT, FE_UPWARD, true}};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* Outside the C standard. */
static void flush_denormals(bool flushes)
{
#if defined(__x86_64__)
    if (flushes)
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
    if (flushes)
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)1 << 24));
#else
    (void)flushes;
#endif
}

static uint64_t controls(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr();
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
#else
    return 0;
#endif
}

/* The environment of a thread, with flags that nothing here raises by itself. */
struct state {
    uint64_t controls;
    int traps, rounding, flags;
};

static struct state state_now(void)
{
    return (struct state){controls(), fegetexcept(), fegetround(), fetestexcept(FE_ALL_EXCEPT)};
}

static bool is_state(const struct state *s)
{
    struct state now = state_now();
    return now.controls == s->controls && now.traps == s->traps && now.rounding == s->rounding &&
           now.flags == s->flags;
}

static struct state set(const struct setting *s)
{
    const fexcept_t raised = FE_DIVBYZERO;
    fesetenv(FE_DFL_ENV);
    if (!s->traps)
        fesetexceptflag(&raised, FE_DIVBYZERO);
    fesetround(s->rounding);
    flush_denormals(s->flushes);
    feenableexcept(s->traps);
    return state_now();
}

/* Restores the default environment of the program. */
static void unset(const struct setting *s, const struct state *before)
{
    bool kept = is_state(before);
    fesetenv(FE_DFL_ENV);
    cr_expect(kept, "the environment has changed: %s", s->name);
}

/* A chain of n points without flow, except for a denormal number into the first point, which is
 * disconnected. */
struct chain {
    uint32_t n, *row, *col;
    double *val, *b, *x;
};

static struct chain chain(uint32_t n)
{
    struct chain a = {.n = n,
                      .row = malloc((n + 1) * sizeof *a.row),
                      .col = malloc(3 * n * sizeof *a.col),
                      .val = malloc(3 * n * sizeof *a.val),
                      .b = malloc(n * sizeof *a.b),
                      .x = calloc(n, sizeof *a.x)};
    uint32_t k = 0;
    a.row[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i > 1 ? i - 1 : i; j <= i + (i > 0) && j < n; j++) {
            a.col[k] = j;
            a.val[k++] = i == j ? 2.1 : -1;
        }
        a.row[i + 1] = k;
        a.b[i] = i ? (i % 7 - 3.) / 3 : 0x1p-1060;
    }
    return a;
}

static void chain_free(struct chain *a)
{
    free(a->row);
    free(a->col);
    free(a->val);
    free(a->b);
    free(a->x);
}

static const vks_context_options on_host = {.device = "host", .threads = 3};

/* Solves the chain with public calls only; x begins at zero. Nothing here computes. */
static vks_status solve_chain(struct chain *a, const vks_context_options *device, const vks_solve_options *o,
                              vks_solve_report *r)
{
    vks_context *c = NULL;
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    vks_status s = vks_context_create(device, &c);
    s = s ? s : vks_matrix_from_csr(c, a->n, a->n, a->row, a->col, a->val, NULL, &A);
    s = s ? s : vks_vector_create(c, a->n, VKS_F64, &b);
    s = s ? s : vks_vector_create(c, a->n, VKS_F64, &x);
    s = s ? s : vks_vector_write(b, 0, a->n, VKS_F64, a->b);
    s = s ? s : vks_solve(A, b, x, o, r);
    s = s ? s : vks_vector_read(x, 0, a->n, VKS_F64, a->x);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    vks_context_destroy(c);
    return s;
}

static void check_solves(uint32_t n, const vks_context_options *device, const vks_solve_options *o,
                         const char *name, int first_setting)
{
    struct chain right = chain(n), a = chain(n);
    vks_solve_report of_right, r;
    char words[2048], of_words[2048];
    cr_assert(!solve_chain(&right, &on_host, o, &of_right), "%s", of_right.detail);
    cr_assert(!vks_solve_course(&of_right, of_words, sizeof of_words));
    for (int i = first_setting; i < SETTINGS; i++) {
        struct state before = set(&settings[i]);
        vks_status s = solve_chain(&a, device, o, &r), t = vks_solve_course(&r, words, sizeof words);
        unset(&settings[i], &before);
        cr_expect(!s && !t && r.reason == of_right.reason && r.iterations == of_right.iterations,
                  "%s, %s: %s after %u iterations, not %s after %u: %s", name, settings[i].name,
                  vks_reason_name(r.reason), r.iterations, vks_reason_name(of_right.reason),
                  of_right.iterations, r.detail);
        cr_expect(!memcmp(a.x, right.x, n * sizeof *a.x), "%s, %s: other bits", name, settings[i].name);
        cr_expect(device != &on_host || !strcmp(words, of_words), "%s: %s\nnot %s", settings[i].name, words,
                  of_words);
    }
    chain_free(&a);
    chain_free(&right);
}

Test(environment, each_method_has_the_same_bits)
{
    for (int m = 0; m < VKS_METHOD_COUNT_; m++) {
        const vks_solve_options o = {.method = (vks_method)m};
        check_solves(N, &on_host, &o, vks_method_name(o.method), 0);
    }
}

Test(environment, each_preconditioner_has_the_same_bits)
{
    for (int p = 1; p < VKS_PRECOND_COUNT_; p++) {
        const vks_solve_options o = {.method = VKS_METHOD_GMRES, .precond = (vks_precond_kind)p};
        check_solves(N, &on_host, &o, vks_precond_name(o.precond), 0);
    }
}

Test(environment, threads_of_the_host_have_the_same_bits)
{
    const vks_solve_options o = {.method = VKS_METHOD_CG, .max_iterations = 20};
    check_solves(LONG, &on_host, &o, "many threads", 0);
}

/* The threads of the driver are created in the program's environment, too. */
Test(environment, threads_of_a_driver_have_the_same_bits_on_lavapipe)
{
    const vks_context_options of_driver = {.device = gpu_name()};
    const vks_solve_options o = {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_JACOBI};
    check_solves(N, &of_driver, &o, gpu_name(), SETTINGS - 1);
}

/* Functions of the program run in its environment, even if they change it. */

struct visits {
    struct state wanted;
    vks_context *context;
    pthread_t thread;
    atomic_int made, wrong, by_others;
};

static void visit(struct visits *v)
{
    v->wrong += !is_state(&v->wanted);
    v->made++;
    v->by_others += !pthread_equal(pthread_self(), v->thread);
    if (!v->wanted.traps)
        feraiseexcept(FE_ALL_EXCEPT);
    fesetround(FE_TOWARDZERO);
}

/* A progress function that makes a call of its own. */
static int progress(void *user, const vks_progress *p)
{
    struct visits *v = user;
    vks_vector *x = NULL;
    (void)p;
    v->wrong += vks_vector_create(v->context, N, VKS_F64, &x) != VKS_OK;
    vks_vector_destroy(x);
    visit(v);
    return 0;
}

static int gather(void *user, const double *own, size_t count, double *all)
{
    memcpy(all, own, count * sizeof *own);
    visit(user);
    return 0;
}

static int exchange(void *user, const void *sent, void *received)
{
    (void)sent;
    (void)received;
    visit(user);
    return 0;
}

static int exchanged(void *user)
{
    visit(user);
    return 0;
}

static struct visits *rows_visits;

static void rows(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x, double *y)
{
    (void)A;
    visit(rows_visits);
    memcpy(y + first, x + first, count * sizeof *x);
}

/* A matrix, b and x of the chain. */
struct objects {
    vks_context *c;
    vks_matrix *A;
    vks_vector *b, *x;
};

static struct objects objects(uint32_t n)
{
    struct objects o;
    struct chain a = chain(n);
    cr_assert(!vks_context_create(&on_host, &o.c));
    cr_assert(!vks_matrix_from_csr(o.c, n, n, a.row, a.col, a.val, NULL, &o.A));
    cr_assert(!vks_vector_create(o.c, n, VKS_F64, &o.b));
    cr_assert(!vks_vector_create(o.c, n, VKS_F64, &o.x));
    cr_assert(!vks_vector_write(o.b, 0, n, VKS_F64, a.b));
    chain_free(&a);
    return o;
}

static void objects_free(struct objects *o)
{
    vks_vector_destroy(o->x);
    vks_vector_destroy(o->b);
    vks_matrix_destroy(o->A);
    vks_context_destroy(o->c);
}

/* Calls with functions of the program. */

static vks_status solve_with_progress(struct objects *o, struct visits *v)
{
    const vks_solve_options options = {
        .method = VKS_METHOD_CG, .zero_guess = 1, .progress = progress, .user = v};
    return vks_solve(o->A, o->b, o->x, &options, NULL);
}

static vks_status set_up_with_progress(struct objects *o, struct visits *v)
{
    const vks_precond_options options = {.kind = VKS_PRECOND_AMG, .progress = progress, .user = v};
    vks_precond *M = NULL;
    vks_status s = vks_precond_create(o->A, &options, &M);
    vks_precond_destroy(M);
    return s;
}

static vks_status solve_with_partners(struct objects *o, struct visits *v)
{
    const uint64_t first[] = {0, N};
    const vks_partners partners = {.processes = 1,
                                   .first = first,
                                   .user = v,
                                   .exchange = exchange,
                                   .exchanged = exchanged,
                                   .gather = gather};
    const vks_solve_options options = {.method = VKS_METHOD_CG, .zero_guess = 1, .partners = &partners};
    return vks_solve(o->A, o->b, o->x, &options, NULL);
}

static void check_visits(vks_status (*call)(struct objects *o, struct visits *v), const char *name)
{
    struct objects o = objects(N);
    for (int i = 0; i < SETTINGS; i++) {
        struct visits v = {.context = o.c, .thread = pthread_self()};
        v.wanted = set(&settings[i]);
        vks_status s = call(&o, &v);
        unset(&settings[i], &v.wanted);
        cr_expect(!s && v.made, "%s: %s", name, vks_context_message(o.c));
        cr_expect(!v.wrong, "%s, %s: %d of %d in another environment", name, settings[i].name, v.wrong,
                  v.made);
    }
    objects_free(&o);
}

Test(environment, functions_run_in_that_of_the_program)
{
    check_visits(solve_with_progress, "progress of a solve");
    check_visits(set_up_with_progress, "progress of a set-up");
    check_visits(solve_with_partners, "partners");
}

/* Multiplies until another thread has done a part. */
Test(environment, rows_of_operators_run_in_that_of_the_program_on_all_threads)
{
    enum { MOST_PRODUCTS = 10000 };
    const vks_operator description = {.rows_f64 = rows};
    struct objects o = objects(LONG);
    vks_matrix *A;
    cr_assert(!vks_operator_create(o.c, LONG, &description, &A), "%s", vks_context_message(o.c));
    for (int i = 0; i < SETTINGS; i++) {
        struct visits v = {.thread = pthread_self()};
        vks_status s = VKS_OK;
        rows_visits = &v;
        v.wanted = set(&settings[i]);
        for (int k = 0; !s && !v.by_others && k < MOST_PRODUCTS; k++)
            s = vks_spmv(A, o.b, o.x);
        unset(&settings[i], &v.wanted);
        cr_expect(!s && v.by_others && !v.wrong, "%s: %d of %d in another environment", settings[i].name,
                  v.wrong, v.made);
    }
    vks_matrix_destroy(A);
    objects_free(&o);
}
