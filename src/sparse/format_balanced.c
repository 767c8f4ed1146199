/* Balanced CSR as a format: a list of tasks beside CSR. */
#include "primitive/pack_verbs.h"
#include "sparse/balanced.h"

#include <stdlib.h>

/* What A->stored is. */
struct kept {
    struct memory task;
    uint32_t tasks;
};

static u32s words_of(const struct memory *m)
{
    return (u32s)(uintptr_t)m->address;
}

/* How many tasks there are, and, of the flags, the places in their list. */
static vks_status place_tasks(const vks_matrix *A, const struct memory *flag, uint32_t *tasks)
{
    struct rec r;
    rec_create(&r, A->context->device, PRECISION_F32);
    balanced_flags(&r, &A->csr, words_of(flag));
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s ? s
             : offsets_from_counts(A->context->device, words_of(flag), 2 * A->csr.n, "balanced CSR", tasks);
}

static vks_status list_tasks(const vks_matrix *A, const struct memory *flag, const struct kept *k)
{
    struct device *d = A->context->device;
    struct memory set;
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)k->tasks, "flags of tasks", &set);
    pack_indices(&r, words_of(flag), words_of(&set), 2 * A->csr.n);
    balanced_tasks(&r, &A->csr, words_of(&set), words_of(&k->task), k->tasks);
    if (!s)
        s = rec_run(&r);
    rec_destroy(&r);
    device_release(d, &set);
    return s;
}

static vks_status make_tasks(const vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    struct memory flag;
    vks_status s =
        device_allocate(d, MEMORY_DEVICE, 4 * (2 * (uint64_t)A->csr.n + 1), "flags of rows", &flag);
    if (!s)
        s = place_tasks(A, &flag, &k->tasks);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, 16 * (uint64_t)k->tasks, "tasks", &k->task);
    if (!s && k->tasks)
        s = list_tasks(A, &flag, k);
    device_release(d, &flag);
    return s;
}

static vks_status create(vks_matrix *A)
{
    struct message *m = &A->context->message;
    if (A->csr.entries + (uint64_t)A->csr.n > VKS_LARGEST_INDEX || 2 * (uint64_t)A->csr.n > VKS_LARGEST_INDEX)
        return fail(m, VKS_LIMIT,
                    "balanced CSR takes %u rows and entries together, and half as many rows; these are %llu "
                    "and %u",
                    VKS_LARGEST_INDEX, (unsigned long long)A->csr.entries + A->csr.n, A->csr.n);
    struct kept *k = A->stored = calloc(1, sizeof *k);
    return k ? make_tasks(A, k) : fail_memory(m, "tasks", sizeof *k);
}

static void product(struct rec *r, control c, const vks_matrix *A, reals x, reals y)
{
    const struct kept *k = A->stored;
    spmv_balanced(r, c, &A->csr, words_of(&k->task), k->tasks, x, y);
}

static uint64_t bytes(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return A->row.bytes + A->col.bytes + A->val.bytes + k->task.bytes;
}

static void release(vks_matrix *A)
{
    struct kept *k = A->stored;
    if (k)
        device_release(A->context->device, &k->task);
    free(k);
}

const struct format_ops format_balanced = {
    .create = create, .long_rows = true, .spmv = product, .bytes = bytes, .release = release};
