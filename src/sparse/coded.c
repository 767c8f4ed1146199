#include "sparse/coded.h"

/* The arrays that replace entries, and a word visible to the host. */
struct code_room {
    struct memory code, table, lost;
};

static void release(struct device *d, struct code_room *m)
{
    device_release(d, &m->code);
    device_release(d, &m->table);
    device_release(d, &m->lost);
}

/* The table has room for doubles, so that a matrix that becomes wide works until its codes are rebuilt. */
static vks_status allocate(struct device *d, const struct sell *B, struct code_room *m)
{
    TRY(device_allocate(d, MEMORY_DEVICE, coded_bytes(coded_room(B), B->coded.wide), "codes of entries",
                        &m->code));
    TRY(device_allocate(d, MEMORY_DEVICE, kind_table_bytes(B->coded.kinds), "kinds of entries", &m->table));
    TRY(device_allocate(d, MEMORY_SHARED, 4, "whether an entry has no kind", &m->lost));
    *(uint32_t *)m->lost.mapped = 0;
    return VKS_OK;
}

static vks_status store_codes(const vks_matrix *A, const struct kinds *k, const struct sell *B,
                              const struct code_room *m)
{
    enum precision p = values_precision(A);
    uint32_t kinds = B->coded.kinds + 1;
    struct rec r = rec_once(A->context->device, PRECISION_F32); /* words only */
    copy_words(&r, k->table.apart, B->coded.apart, kinds);
    copy_words(&r, k->table.value, (u32s)B->coded.value, kinds * kind_words(p));
    csr_to_coded(&r, &A->csr, k, p, B, words_of(&m->lost));
    return rec_run_once(&r, VKS_OK);
}

vks_status coded_create(vks_matrix *A, const struct kinds *k, uint32_t count, bool *done)
{
    struct device *d = A->context->device;
    struct sliced *to = A->stored;
    struct sell B = to->sell;
    struct code_room m = {0};
    bool wide = count > KINDS_OF_A_BYTE;
    B.coded = (struct coded){.kinds = count, .wide = wide, .units = coded_units_of_all(&B, wide)};
    vks_status s = allocate(d, &B, &m);
    B.coded.code = words_of(&m.code);
    struct kind_table table = kind_table_in(&m.table, 0, count);
    B.coded.apart = table.apart;
    B.coded.value = (values)table.value;
    IF_OK(s, store_codes(A, k, &B, &m));
    *done = !s && *(const uint32_t *)m.lost.mapped == 0;
    if (*done) {
        struct code_room before = {to->code, to->table, {0}};
        to->code = m.code;
        to->table = m.table;
        to->sell = B;
        A->kinds = count;
        m = (struct code_room){.lost = m.lost};
        release(d, &before);
    }
    release(d, &m);
    return s;
}

vks_status coded_find_kinds(const vks_matrix *A, const struct kinds *k, uint32_t *count)
{
    struct device *d = A->context->device;
    struct memory word = {0}, out = {0};
    struct rec r = rec_once(d, PRECISION_F32); /* words only */
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4, "how many kinds there are", &word);
    IF_OK(s, device_allocate(d, MEMORY_SHARED, 4, "the same to be read", &out));
    kinds_search(&r, k, &A->csr, values_precision(A), words_of(&word));
    copy_words(&r, words_of(&word), words_of(&out), 1);
    s = rec_run_once(&r, s);
    if (!s)
        *count = kinds_reported(k, *(const uint32_t *)out.mapped);
    device_release(d, &word);
    device_release(d, &out);
    return s;
}

void coded_drop(vks_matrix *A)
{
    struct sliced *k = A->stored;
    struct code_room m = {k->code, k->table, {0}};
    release(A->context->device, &m);
    k->code = k->table = (struct memory){0};
    k->sell.coded = (struct coded){0};
    A->kinds = 0;
}
