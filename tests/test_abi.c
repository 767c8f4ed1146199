/* Programs with headers of other versions: a struct that has grown, and rejected versions. */
#include "abi/abi.h"
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"

#include <string.h>

/* A struct of 0.3 that grew in 0.4, into the padding at its end, and in 0.5. */
typedef struct grown_3 {
    double a;
    uint32_t b;
} grown_3;

typedef struct grown {
    double a;
    uint32_t b;
    uint32_t c;
    double d;
} grown;

ABI_FUNCTIONS(grown, SINCE(300), BEFORE(400, grown, b), BEFORE(500, grown, c))

/* A program's struct, with other memory after the members of 0.3. */
static grown filled(void)
{
    grown g;
    memset(&g, 0xA5, sizeof g);
    g.a = 1;
    g.b = 2;
    return g;
}

Test(abi, members_that_a_program_lacks_are_zero)
{
    const grown theirs = filled();
    const grown from_3 = grown_in(300, &theirs), from_4 = grown_in(420, &theirs);
    const grown from_5 = grown_in(500, &theirs), none = grown_in(500, NULL), early = grown_in(299, &theirs);
    cr_expect(from_3.a == 1 && from_3.b == 2 && from_3.c == 0 && from_3.d == 0);
    cr_expect(from_4.a == 1 && from_4.b == 2 && from_4.c == 0xA5A5A5A5 && from_4.d == 0);
    cr_expect_arr_eq(&from_5, &theirs, sizeof theirs);
    cr_expect(none.a == 0 && none.b == 0 && none.c == 0 && none.d == 0);
    cr_expect(early.a == 0 && early.b == 0 && early.c == 0 && early.d == 0);
}

Test(abi, members_that_a_program_lacks_are_not_written)
{
    static const struct {
        uint32_t header;
        size_t written;
    } of[] = {{299, 0}, {300, offsetof(grown, c)}, {400, offsetof(grown, d)}, {500, sizeof(grown)}};
    const grown ours = {.a = 3, .b = 4, .c = 5, .d = 6}, before = filled();
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        grown theirs = before;
        size_t written = of[k].written;
        grown_out(of[k].header, &ours, &theirs);
        cr_expect(!memcmp(&theirs, &ours, written), "headers %u", of[k].header);
        cr_expect(
            !memcmp((char *)&theirs + written, (const char *)&before + written, sizeof theirs - written),
            "headers %u", of[k].header);
    }
    grown_out(500, &ours, NULL);
}

Test(abi, elements_of_arrays_are_those_of_the_program)
{
    grown theirs[4];
    grown_3 *of_3 = (void *)theirs;
    cr_expect((void *)grown_at(300, theirs, 3) == of_3 + 3);
    cr_expect((void *)grown_at(400, theirs, 3) == of_3 + 3);
    cr_expect(grown_at(500, theirs, 3) == theirs + 3);
    cr_expect_null(grown_at(300, NULL, 3));
}

/* A small system on the host. */
struct system_of_4 {
    vks_context *c;
    struct host_csr host;
    vks_matrix *A;
    vks_vector *b, *x;
};

static struct system_of_4 open_system(void)
{
    struct system_of_4 s = {.c = open_host(), .host = tridiagonal(4, -1, 4, -1)};
    const double ones[4] = {1, 1, 1, 1};
    s.A = put_on(s.c, &s.host, PRECISION_F64, VKS_FORMAT_AUTO);
    s.b = put_vector(s.c, ones, 4, PRECISION_F64);
    s.x = put_vector(s.c, ones, 4, PRECISION_F64);
    return s;
}

static void system_of_4_free(struct system_of_4 *s)
{
    vks_vector_destroy(s->b);
    vks_vector_destroy(s->x);
    vks_matrix_destroy(s->A);
    host_csr_free(&s->host);
    close_context(s->c);
}

enum { LATER = VKS_HEADER / 100 * 100 + 100, EARLY = 299 };
static const uint32_t refused[] = {LATER, EARLY};

/* The message has both versions. */
static void expect_message(uint32_t header, const char *message)
{
    char version[16];
    snprintf(version, sizeof version, "%u.%u.%u", header / 10000, header / 100 % 100, header % 100);
    cr_expect(strstr(message, version) && strstr(message, vks_version()), "%s", message);
    cr_expect(strstr(message, header == LATER ? "must not be older" : "takes headers from 0.3.0 on"), "%s",
              message);
}

static void expect_refusal(vks_context *c, uint32_t header, vks_status s)
{
    cr_expect_eq(s, header == LATER ? VKS_UNSUPPORTED : VKS_INVALID_ARGUMENT, "%s", vks_status_name(s));
    if (c)
        expect_message(header, vks_context_message(c));
}

/* Programs with later headers get a report; those with early ones an unknown one. */
static void expect_report(uint32_t header, vks_solve_report *r)
{
    if (header == LATER) {
        expect_message(header, r->detail);
        cr_expect(r->reason == VKS_REASON_NOT_RUN && r->iterations == 0 && isnan(r->true_residual));
    } else {
        cr_expect(r->iterations == 7 && !r->detail[0], "%s", r->detail);
    }
    *r = (vks_solve_report){.iterations = 7};
}

Test(abi, solves_of_refused_headers)
{
    OWNED_STRUCT(system_of_4) s = open_system();
    vks_solver *solver = NULL, *none = NULL;
    cr_assert_eq(vks_solver_create(s.A, NULL, &solver), VKS_OK);
    for (int k = 0; k < 2; k++) {
        uint32_t h = refused[k];
        vks_solve_report r = {.iterations = 7};
        vks_plan plan;
        int ended = -1;
        expect_refusal(s.c, h, vks_solve_as(h, s.A, s.b, s.x, NULL, &r));
        expect_report(h, &r);
        expect_refusal(NULL, h, vks_solve_csr_as(h, 0, NULL, NULL, NULL, NULL, NULL, NULL, &r));
        expect_report(h, &r);
        expect_refusal(s.c, h, vks_solve_plan_as(h, s.A, NULL, &plan));
        expect_refusal(s.c, h, vks_solver_create_as(h, s.A, NULL, &none));
        expect_refusal(s.c, h, vks_solver_solve_as(h, solver, s.b, s.x, &r));
        expect_report(h, &r);
        expect_refusal(s.c, h, vks_solver_poll_as(h, solver, &ended, &r));
        expect_report(h, &r);
        cr_expect_eq(ended, 1);
        expect_refusal(s.c, h, vks_solver_solve_many_as(h, solver, 0, NULL, NULL, NULL));
    }
    vks_solver_destroy(solver);
}

Test(abi, other_calls_of_refused_headers)
{
    OWNED_STRUCT(system_of_4) s = open_system();
    vks_dense *D = NULL, *inverse = NULL;
    cr_assert_eq(vks_dense_from_matrix(s.A, &D), VKS_OK);
    for (int k = 0; k < 2; k++) {
        uint32_t h = refused[k], count = 7;
        vks_matrix *B = s.A;
        vks_context *none = s.c;
        vks_precond *M = NULL;
        vks_gauss_jordan_report r = {.reason = VKS_REASON_CONVERGED};
        char message[256] = "";
        vks_context_options o = {.device = "host", .message = message, .message_size = sizeof message};
        expect_refusal(s.c, h, vks_matrix_convert_as(h, s.A, NULL, &B));
        cr_expect_null(B);
        expect_refusal(s.c, h, vks_precond_create_as(h, s.A, NULL, &M));
        expect_refusal(s.c, h, vks_gauss_jordan_invert_as(h, D, &inverse, NULL, &r));
        cr_expect_eq(r.reason, h == LATER ? VKS_REASON_NOT_RUN : VKS_REASON_CONVERGED);
        expect_refusal(NULL, h, vks_device_list_as(h, NULL, 0, &count));
        cr_expect_eq(count, 0);
        expect_refusal(NULL, h, vks_context_create_as(h, &o, &none));
        cr_expect_null(none);
        if (h == LATER)
            expect_message(h, message);
    }
    vks_dense_destroy(D);
}

Test(abi, later_patches_are_taken)
{
    OWNED_STRUCT(system_of_4) s = open_system();
    cr_expect_eq(vks_solve_as(LATER - 1, s.A, s.b, s.x, NULL, NULL), VKS_OK);
}
