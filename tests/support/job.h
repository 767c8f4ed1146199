/* One kernel on one device with one input: a case defines what to record and, independently, the expected
 * result. */
#ifndef VKS_TESTS_JOB_H
#define VKS_TESTS_JOB_H

#include "sparse/bsr.h"
#include "sparse/matrix.h"
#include "sparse/sell.h"
#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "tests/support/oracle.h"
#include "vector/verbs.h"

enum { MOST_ARRAYS = 32, MOST_OUTPUTS = 16 };

/* `count` values of an array that the case compares; words if `words`. */
struct output {
    const struct memory *memory;
    enum precision p;
    bool words;
    uint64_t first, count;
};

/* The shape of slices; zero: 32 rows each, in their order. */
struct slice_shape {
    uint32_t height, sigma;
    bool ell, compact; /* one slice of all rows; 16 bits a column if that suffices */
    bool wide;         /* with codes: more kinds than a byte holds, if possible */
};

struct job {
    /* the input, the same on every device */
    enum precision p;
    uint32_t n;
    uint32_t lanes;
    uint32_t size;            /* of blocks; 0 if unused */
    const struct host_csr *A; /* n rows */
    const double *x, *y;      /* n values each (x: as many as A has columns, if that is more) */
    const uint32_t *words;    /* n of them */
    /* on the device */
    struct device *d;
    struct rec r;
    struct memory arrays[MOST_ARRAYS];
    uint32_t array_count;
    struct reduction reductions[2];
    uint32_t reduction_count;
    struct csr csr;
    struct slice_shape shape; /* of the case */
    struct sell sell;
    struct long_rows longs;            /* its arrays are among those above */
    const struct memory *columns;      /* its columns, before its values */
    const struct memory *bases, *most; /* of its compact columns */
    struct bsr bsr;
    const struct memory *first, *mask; /* of its blocks */
    struct output outputs[MOST_OUTPUTS];
    uint32_t output_count;
};

/* Sizes at which the behaviour of a kernel changes. */
struct sizes {
    const uint32_t *at;
    int count, striding; /* at[striding] and those after it need more than three groups */
};

/* For kernels that are slow if shaders run on a processor: only one size around 65,536. */
static const uint32_t slow_at[] = {0,   1,   2,   31,  32,  33,   127,  128,  129,  255,
                                   256, 257, 511, 512, 513, 1000, 2047, 2048, 2049, 65537};
static const struct sizes sizes_of_slow = {slow_at, sizeof slow_at / sizeof *slow_at, 15};

struct kernel_case {
    const char *name;
    const struct sizes *sizes;     /* NULL: those of vectors */
    bool words;                    /* has no reals, and is recorded only in f32 */
    bool sparse;                   /* needs A */
    bool long_rows;                /* needs long ones */
    uint32_t least_lanes;          /* 0 means 1 */
    uint32_t most_lanes;           /* 0 means 32 */
    struct slice_shape shape;      /* of slices */
    bool once;                     /* a second submission would continue from the first one's output */
    void (*record)(struct job *j); /* makes the arrays and outputs, and records */
    void (*expect)(const struct job *j, double *want);     /* the values of all outputs */
    void (*check)(const struct job *j, const double *got); /* checks further conditions, or NULL */
};

static inline void job_must(const struct job *j, vks_status s)
{
    skip_without_f64(s, j->d->message->text);
    cr_assert_eq(s, VKS_OK, "%s: %s", vks_status_name(s), j->d->message->text);
}

static inline struct memory *new_bytes(struct job *j, uint64_t bytes, const char *what)
{
    cr_assert_lt(j->array_count, MOST_ARRAYS);
    struct memory *m = &j->arrays[j->array_count++];
    job_must(j, device_allocate(j->d, MEMORY_DEVICE, bytes, what, m));
    return m;
}

static inline struct memory *new_reals(struct job *j, uint64_t count, const char *what)
{
    return new_bytes(j, count * real_bytes(j->p), what);
}

static inline struct memory *put_as(struct job *j, enum precision p, const double *v, uint64_t count,
                                    const char *what)
{
    struct memory *m = new_bytes(j, count * real_bytes(p), what);
    job_must(j, upload_values(j->d, m, public_precision(p), 0, count, VKS_F64, v));
    return m;
}

static inline struct memory *put(struct job *j, const double *v, uint64_t count, const char *what)
{
    return put_as(j, j->p, v, count, what);
}

/* An x for products with the matrix. */
static inline struct vec job_x(const struct job *j, const struct memory *m)
{
    return vec_in(m, j->csr.cols, j->p);
}

/* An array of j->n elements. */
static inline struct vec job_vec(const struct job *j, const struct memory *m)
{
    return vec_in(m, j->n, j->p);
}

static inline struct vec job_doubles(const struct job *j, const struct memory *m)
{
    return vec_in(m, j->n, PRECISION_F64);
}

/* The place of column `col` in row i, or UINT32_MAX. */
static inline uint32_t place_of(const struct host_csr *A, uint32_t i, uint32_t col)
{
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
        if (A->col[k] == col)
            return k;
    return UINT32_MAX;
}

/* Puts values of a matrix in their stored precision. */
static inline values put_values(struct job *j, const double *v, uint64_t count, const char *what)
{
    return (values)(uintptr_t)put_as(j, stored_precision(j->p), v, count, what)->address;
}

static inline values new_values(struct job *j, uint64_t count, const char *what)
{
    return (values)(uintptr_t)new_bytes(j, count * value_bytes(j->p), what)->address;
}

/* Later kernels only move values; those after `computing` calculate with them. */
static inline void moving(struct job *j)
{
    j->r.precision = stored_precision(j->p);
}

static inline void computing(struct job *j)
{
    j->r.precision = j->p;
}

static inline struct memory *put_words(struct job *j, const uint32_t *v, uint64_t count, const char *what)
{
    struct memory *m = new_bytes(j, 4 * count, what);
    job_must(j, device_write(j->d, m, 0, v, 4 * count));
    return m;
}

static inline const struct reduction *new_reduction(struct job *j, uint32_t rows)
{
    struct reduction *w = &j->reductions[j->reduction_count++];
    job_must(j, reduction_create(j->d, j->n, rows, w));
    return w;
}

static inline const struct csr *put_matrix(struct job *j)
{
    const struct host_csr *A = j->A;
    uint32_t entries = A->row[A->rows];
    j->csr = (struct csr){.n = A->rows, .cols = A->cols, .entries = entries, .lanes = j->lanes};
    j->csr.row = (u32s)(uintptr_t)put_words(j, A->row, A->rows + (uint64_t)1, "row offsets")->address;
    j->csr.col = (u32s)(uintptr_t)put_words(j, A->col, entries, "columns")->address;
    j->csr.val = put_values(j, A->val, entries, "values");
    return &j->csr;
}

static inline const struct memory *compared(struct job *j, const struct memory *m, enum precision p,
                                            uint64_t count)
{
    cr_assert_lt(j->output_count, MOST_OUTPUTS);
    j->outputs[j->output_count++] = (struct output){.memory = m, .p = p, .count = count};
    return m;
}

static inline const struct memory *compared_words(struct job *j, const struct memory *m, uint64_t count)
{
    compared(j, m, PRECISION_F32, count);
    j->outputs[j->output_count - 1].words = true;
    return m;
}

static inline reals reals_at(const struct memory *m)
{
    return (reals)(uintptr_t)m->address;
}

static inline values values_at(const struct memory *m)
{
    return (values)(uintptr_t)m->address;
}

static inline number number_at(const struct memory *m)
{
    return (number)(uintptr_t)m->address;
}

static inline doubles doubles_at(const struct memory *m)
{
    return (doubles)(uintptr_t)m->address;
}

static inline u32s words_at(const struct memory *m)
{
    return (u32s)(uintptr_t)m->address;
}

static inline size_t output_values(const struct job *j)
{
    size_t count = 0;
    for (uint32_t i = 0; i < j->output_count; i++)
        count += j->outputs[i].count;
    return count;
}

static inline void read_words(const struct job *j, const struct output *o, double *to)
{
    OWNED(uint32_t) *words = room(o->count, sizeof *words);
    job_must(j, device_read(j->d, o->memory, 4 * o->first, words, 4 * o->count));
    for (uint64_t k = 0; k < o->count; k++)
        to[k] = words[k];
}

static inline double *read_outputs(const struct job *j)
{
    double *all = room(output_values(j), sizeof *all), *to = all;
    for (uint32_t i = 0; i < j->output_count; i++) {
        const struct output *o = &j->outputs[i];
        if (o->words)
            read_words(j, o, to);
        else
            job_must(
                j, download_values(j->d, o->memory, public_precision(o->p), o->first, o->count, VKS_F64, to));
        to += o->count;
    }
    return all;
}

/* A reduction must leave its tickets at zero, or the next one would be wrong. */
static inline void check_tickets(const struct job *j)
{
    for (uint32_t i = 0; i < j->reduction_count; i++) {
        const struct memory *m = &j->reductions[i].tickets;
        OWNED(uint32_t) *tickets = room(m->bytes / 4, 4);
        job_must(j, device_read(j->d, m, 0, tickets, m->bytes));
        for (uint64_t k = 0; k < m->bytes / 4; k++)
            cr_assert_eq(tickets[k], 0, "ticket %u was left at %u", (unsigned)k, tickets[k]);
    }
}

static inline void job_begin(struct job *j, struct device *d, const struct kernel_case *k)
{
    j->d = d;
    j->array_count = j->reduction_count = j->output_count = 0;
    j->shape = k->shape;
    rec_create(&j->r, d, j->p);
    k->record(j);
    for (uint32_t i = 0; i < j->r.count; i++)
        cr_assert(j->r.list[i].groups >= 1 && j->r.list[i].groups <= d->info.max_groups, "%u workgroups",
                  j->r.list[i].groups);
}

static inline void job_end(struct job *j)
{
    rec_destroy(&j->r);
    for (uint32_t i = 0; i < j->array_count; i++)
        device_release(j->d, &j->arrays[i]);
    for (uint32_t i = 0; i < j->reduction_count; i++)
        reduction_destroy(j->d, &j->reductions[i]);
}

/* Gives a guard whose word is not 0 to exactly the dispatches that take a guard. Returns their number. */
static inline uint32_t stop_kernels(struct job *j)
{
    const struct memory *word = put_words(j, (uint32_t[]){1}, 1, "a guard");
    uint32_t count = 0;
    for (uint32_t i = 0; i < j->r.count; i++) {
        struct dispatch d = j->r.list[i];
        uint32_t at = kernels[d.kernel].guard_at;
        if (at == NO_GUARD)
            continue;
        d.guard = words_at(word);
        memcpy((char *)d.args + at, &d.guard, sizeof d.guard);
        j->r.list[count++] = d;
    }
    j->r.count = count;
    return count;
}

/* A copy of all arrays and sums. */
static inline unsigned char *read_everything(const struct job *j, uint64_t *bytes)
{
    unsigned char *all = NULL;
    *bytes = 0;
    for (uint32_t i = 0; i < j->array_count + j->reduction_count; i++) {
        const struct memory *m = i < j->array_count ? &j->arrays[i] : &j->reductions[i - j->array_count].sums;
        unsigned char *more = realloc(all, *bytes + m->bytes + 1);
        cr_assert(more);
        all = more;
        job_must(j, device_read(j->d, m, 0, all + *bytes, m->bytes));
        *bytes += m->bytes;
    }
    return all;
}

/* Runs the kernels of the case that take a guard while it stops them: no byte may change. */
static inline void job_run_stopped(struct job *j, struct device *d, const struct kernel_case *k,
                                   const char *where)
{
    uint64_t bytes = 0;
    job_begin(j, d, k);
    if (stop_kernels(j)) {
        unsigned char *before = read_everything(j, &bytes);
        job_must(j, rec_run(&j->r));
        unsigned char *after = read_everything(j, &bytes);
        cr_expect(!memcmp(before, after, bytes), "%s has written on %s, though its guard stops it", k->name,
                  where);
        free(before);
        free(after);
        check_tickets(j);
    }
    job_end(j);
}

/* Whether narrow values affect what has been recorded. */
static inline bool takes_values(const struct rec *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (kernels[r->list[i].kernel].values)
            return true;
    return false;
}

/* Runs the case on the device twice, and compares with the expected result. Returns whether narrow values
 * affect it: if not, PRECISION_MIXED is the same as PRECISION_F64. */
static inline bool job_run(struct job *j, struct device *d, const struct kernel_case *k, const char *where)
{
    char what[200];
    snprintf(what, sizeof what, "%s, %s, n = %u, %u lanes, on %s", k->name, precision_name(j->p), j->n,
             j->lanes, where);
    job_begin(j, d, k);
    bool values = takes_values(&j->r);
    OWNED(double) *want = room(output_values(j), sizeof *want);
    k->expect(j, want);
    for (int turn = 0; turn < (k->once ? 1 : 2); turn++) {
        job_must(j, rec_run(&j->r));
        guards_check(d);
        check_tickets(j);
        OWNED(double) *got = read_outputs(j);
        must_equal(got, want, output_values(j), what);
        if (k->check)
            k->check(j, got);
    }
    job_end(j);
    return values;
}

#endif
