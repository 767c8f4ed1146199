#include "sparse/symmetry.h"
#include "device/room.h"
#include "shaders/sparse/symmetry.h"

vks_status symmetry_measure(const vks_matrix *A, struct symmetry *out)
{
    static const uint32_t none[SYMMETRY_WORDS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    struct device *d = A->context->device;
    uint32_t found[SYMMETRY_WORDS] = {0};
    struct room w;
    struct rec r;
    room_open(&w, d);
    rec_create(&r, d, matrix_precision(A));
    struct memory words = room_copy(&w, none, sizeof none, "words on symmetry");
    csr_symmetry(&r, &A->csr, words_of(&words));
    vks_status s = w.status ? w.status : rec_run(&r);
    if (!s)
        s = device_read(d, &words, 0, found, sizeof found);
    rec_destroy(&r);
    room_close(&w);
    *out = (struct symmetry){.unequal = found[SYMMETRY_UNEQUAL],
                             .zero = found[SYMMETRY_ZERO],
                             .negative = found[SYMMETRY_NEGATIVE],
                             .positive = found[SYMMETRY_POSITIVE]};
    return s;
}
