/* Structs of other versions: how they are converted, the table of the public ones, and headers that are later
 * than the library. tests/abi/run has a program with the headers of 0.1.0. */
#include "abi/sizes.h"
#include "abi/structs.h"
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"

#include <string.h>

/* A struct in three versions. */
struct inner_1 {
    double a;
    uint32_t b;
};

struct inner_2 {
    double a;
    uint32_t b, c; /* where inner_1 has padding */
};

struct inner {
    double a;
    uint32_t b, c;
    double d;
};

/* Structs that hold it, and each other, by value. */
#define OUTER(inner) \
    uint32_t n;      \
    inner one;       \
    uint32_t middle; \
    inner many[3];   \
    uint32_t end

struct outer_1 {
    OUTER(struct inner_1);
};

struct outer_2 {
    OUTER(struct inner_2);
    double later;
};

struct outer {
    OUTER(struct inner);
    double later;
};

#define OUTERMOST(outer) \
    outer first, second; \
    uint64_t last

struct outermost_1 {
    OUTERMOST(struct outer_1);
};

struct outermost_2 {
    OUTERMOST(struct outer_2);
};

struct outermost {
    OUTERMOST(struct outer);
};

#define LAYOUT(name, ...) \
    static const struct layout layout_##name = {sizeof(struct name), _Alignof(struct name), __VA_ARGS__}

LAYOUT(inner, .end = END(struct inner, d),
       .older = {BEFORE(200, struct inner, b), BEFORE(300, struct inner, c)});
LAYOUT(outer, .end = END(struct outer, later), .older = {BEFORE(200, struct outer, end)},
       .parts = {PART(struct outer, one, inner, 1), PART(struct outer, many, inner, 3)});
LAYOUT(outermost, .end = END(struct outermost, last),
       .parts = {PART(struct outermost, first, outer, 1), PART(struct outermost, second, outer, 1)});

Test(abi, strides_are_the_sizes_of_each_version)
{
    static const struct {
        const struct layout *layout;
        size_t size[3];
    } cases[] = {
        {&layout_inner, {sizeof(struct inner_1), sizeof(struct inner_2), sizeof(struct inner)}},
        {&layout_outer, {sizeof(struct outer_1), sizeof(struct outer_2), sizeof(struct outer)}},
        {&layout_outermost,
         {sizeof(struct outermost_1), sizeof(struct outermost_2), sizeof(struct outermost)}},
    };
    for (int i = 0; i < 3; i++)
        for (uint32_t version = 0; version < 3; version++)
            cr_expect_eq(layout_stride(cases[i].layout, 100 * version + 100), cases[i].size[version],
                         "struct %d of version %u", i, version);
}

/* Each number of the struct becomes another one. */
#define NUMBER_INNER(s) (s).a = ++k, (s).b = ++k
#define NUMBER(s)                                                                    \
    (s).n = ++k, NUMBER_INNER((s).one), (s).middle = ++k, NUMBER_INNER((s).many[0]), \
    NUMBER_INNER((s).many[1]), NUMBER_INNER((s).many[2]), (s).end = ++k

#define EQUAL_INNER(s, t) cr_expect((s).a == (t).a && (s).b == (t).b)
#define EQUAL(s, t)                                                              \
    cr_expect((s).n == (t).n && (s).middle == (t).middle && (s).end == (t).end); \
    EQUAL_INNER((s).one, (t).one);                                               \
    for (int i = 0; i < 3; i++)                                                  \
    EQUAL_INNER((s).many[i], (t).many[i])

Test(abi, what_a_caller_gives_is_taken_and_the_rest_is_zero)
{
    struct outermost_1 theirs;
    struct outermost ours;
    uint32_t k = 0;
    memset(&theirs, 0xA5, sizeof theirs);
    memset(&ours, 0xA5, sizeof ours);
    NUMBER(theirs.first), NUMBER(theirs.second), theirs.last = ++k;
    cr_assert(layout_in(&layout_outermost, 100, &theirs, &ours) == &ours);
    EQUAL(ours.first, theirs.first);
    EQUAL(ours.second, theirs.second);
    cr_expect_eq(ours.last, theirs.last);
    for (int i = 0; i < 3; i++)
        cr_expect(ours.second.many[i].c == 0 && ours.second.many[i].d == 0);
    cr_expect(ours.first.one.c == 0 && ours.first.one.d == 0 && ours.first.later == 0);
}

Test(abi, what_is_new_in_a_middle_version_is_taken_from_it)
{
    struct outermost_2 theirs = {.first = {.many = {[2] = {.c = 5}}, .later = 6},
                                 .second = {.one = {.c = 7}, .later = 8}};
    struct outermost ours;
    uint32_t k = 0;
    NUMBER(theirs.first), NUMBER(theirs.second), theirs.last = ++k;
    layout_in(&layout_outermost, 200, &theirs, &ours);
    EQUAL(ours.first, theirs.first);
    EQUAL(ours.second, theirs.second);
    cr_expect(ours.first.many[2].c == 5 && ours.first.later == 6);
    cr_expect(ours.second.one.c == 7 && ours.second.later == 8 && ours.second.one.d == 0);
}

Test(abi, results_fill_the_struct_of_the_caller_and_nothing_behind_it)
{
    struct {
        struct outermost_1 is;
        char behind[64];
    } theirs;
    struct outermost ours, *room;
    uint32_t k = 0;
    memset(&theirs, 0xA5, sizeof theirs);
    room = layout_room(&layout_outermost, 100, &theirs.is, &ours);
    cr_assert(room == &ours);
    cr_expect_eq(ours.second.many[1].b, 0xA5A5A5A5, "what a call leaves alone stays");
    NUMBER(ours.first), NUMBER(ours.second), ours.last = ++k;
    layout_out(&layout_outermost, 100, room, &theirs.is);
    EQUAL(theirs.is.first, ours.first);
    EQUAL(theirs.is.second, ours.second);
    cr_expect_eq(theirs.is.last, ours.last);
    for (size_t i = 0; i < sizeof theirs.behind; i++)
        cr_expect_eq(theirs.behind[i], (char)0xA5);
}

Test(abi, a_struct_as_today_is_not_copied)
{
    struct outermost theirs = {.last = 1}, ours;
    cr_expect(layout_in(&layout_outermost, 300, &theirs, &ours) == &theirs);
    cr_expect(layout_room(&layout_outermost, 345, &theirs, &ours) == &theirs);
    cr_expect_null(layout_in(&layout_outermost, 100, NULL, &ours));
    cr_expect_null(layout_room(&layout_outermost, 100, NULL, &ours));
    layout_out(&layout_outermost, 100, &ours, NULL);
}

#define X(name, ...) {#name, &layout_##name},
static const struct {
    const char *name;
    const struct layout *layout;
} structs[] = {STRUCTS(X)}, structs_of_0_1[] = {STRUCTS_OF_0_1(X)};
#undef X

Test(abi, structs_of_0_1_have_their_sizes)
{
    for (size_t i = 0; i < sizeof structs_of_0_1 / sizeof *structs_of_0_1; i++)
        cr_expect_eq(layout_stride(structs_of_0_1[i].layout, HEADER_0_1), sizes_0_1[i], "%s: %zu, not %zu",
                     structs_of_0_1[i].name, layout_stride(structs_of_0_1[i].layout, HEADER_0_1),
                     sizes_0_1[i]);
}

/* Then nothing that follows a struct within another moves by less than its own alignment. */
Test(abi, structs_move_by_their_alignment)
{
    for (size_t i = 0; i < sizeof structs / sizeof *structs; i++) {
        const struct layout *l = structs[i].layout;
        cr_expect_eq(layout_stride(l, VKS_HEADER), l->size, "%s does not end with its .end", structs[i].name);
        for (const struct layout_part *p = l->parts; p->of; p++)
            for (uint32_t header = HEADER_0_1; header <= VKS_HEADER; header += 100)
                cr_expect_eq(p->count * (p->of->size - layout_stride(p->of, header)) % l->alignment, 0, "%s",
                             structs[i].name);
    }
}

/* The message has both versions. */
static void expect_refusal(const char *message)
{
    char version[16];
    uint32_t later = VKS_HEADER / 100 + 1;
    snprintf(version, sizeof version, "%u.%u.0", later / 100, later % 100);
    cr_expect(strstr(message, version) && strstr(message, vks_version()), "%s", message);
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

static void close_system(struct system_of_4 *s)
{
    vks_vector_destroy(s->b);
    vks_vector_destroy(s->x);
    vks_matrix_destroy(s->A);
    host_csr_free(&s->host);
    close_context(s->c);
}

enum { LATER = VKS_HEADER / 100 * 100 + 100 };

Test(abi, solves_of_later_headers_are_refused)
{
    struct system_of_4 s = open_system();
    vks_solve_report r = {.iterations = 7};
    vks_solver *solver = NULL;
    cr_expect_eq(vks_solve_2(LATER, s.A, s.b, s.x, NULL, &r), VKS_UNSUPPORTED);
    expect_refusal(vks_context_message(s.c));
    expect_refusal(r.detail);
    cr_expect(r.reason == VKS_REASON_NOT_RUN && r.iterations == 0 && isnan(r.true_residual));
    r = (vks_solve_report){.iterations = 7};
    cr_expect_eq(vks_solve_csr_2(LATER, 0, NULL, NULL, NULL, NULL, NULL, NULL, &r), VKS_UNSUPPORTED);
    expect_refusal(r.detail);
    cr_assert_eq(vks_solver_create(s.A, NULL, &solver), VKS_OK);
    r = (vks_solve_report){.iterations = 7};
    cr_expect_eq(vks_solver_solve_2(LATER, solver, s.b, s.x, &r), VKS_UNSUPPORTED);
    expect_refusal(r.detail);
    int ended = -1;
    cr_expect_eq(vks_solver_poll_2(LATER, solver, &ended, &r), VKS_UNSUPPORTED);
    cr_expect_eq(ended, 1);
    cr_expect_eq(vks_solver_solve_many_2(LATER, solver, 0, NULL, NULL, NULL), VKS_UNSUPPORTED);
    vks_solver_destroy(solver);
    close_system(&s);
}

Test(abi, other_calls_of_later_headers_are_refused)
{
    struct system_of_4 s = open_system();
    vks_matrix *B = s.A;
    vks_dense *D = NULL, *inverse = NULL;
    vks_context *none = s.c;
    vks_gauss_jordan_report r = {.reason = VKS_REASON_CONVERGED};
    uint32_t count = 7;
    char message[256] = "";
    vks_context_options o = {.device = "host", .message = message, .message_size = sizeof message};
    cr_expect_eq(vks_matrix_convert_2(LATER, s.A, NULL, &B), VKS_UNSUPPORTED);
    cr_expect_null(B);
    expect_refusal(vks_context_message(s.c));
    cr_assert_eq(vks_dense_from_matrix(s.A, &D), VKS_OK);
    cr_expect_eq(vks_gauss_jordan_invert_2(LATER, D, &inverse, NULL, &r), VKS_UNSUPPORTED);
    cr_expect_eq(r.reason, VKS_REASON_NOT_RUN);
    expect_refusal(r.detail);
    vks_dense_destroy(D);
    cr_expect_eq(vks_device_list_2(LATER, NULL, 0, &count), VKS_UNSUPPORTED);
    cr_expect_eq(count, 0);
    cr_expect_eq(vks_context_create_2(LATER, &o, &none), VKS_UNSUPPORTED);
    cr_expect_null(none);
    expect_refusal(message);
    close_system(&s);
}

Test(abi, later_patches_are_taken_and_what_is_no_version_is_refused)
{
    struct system_of_4 s = open_system();
    cr_expect_eq(vks_solve_2(LATER - 1, s.A, s.b, s.x, NULL, NULL), VKS_OK);
    cr_expect_eq(vks_solve_2(0, s.A, s.b, s.x, NULL, NULL), VKS_INVALID_ARGUMENT);
    cr_expect(strstr(vks_context_message(s.c), "0 is no version"), "%s", vks_context_message(s.c));
    close_system(&s);
}
