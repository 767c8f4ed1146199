#include "sparse/symmetry.h"
#include "device/room.h"
#include "primitive/verbs.h"
#include "shaders/sparse/symmetry.h"

#include <string.h>

vks_status symmetry_measure(const vks_matrix *A, struct symmetry *out)
{
    struct device *d = A->context->device;
    uint32_t found[SYMMETRY_WORDS] = {0};
    struct room w = {.device = d};
    struct rec r = rec_once(d, matrix_precision(A));
    struct memory words = room_memory(&w, MEMORY_DEVICE, sizeof found, "words on symmetry"),
                  box = room_memory(&w, MEMORY_SHARED, sizeof found, "a mailbox");
    fill_words(&r, words_of(&words), UINT32_MAX, 0, SYMMETRY_WORDS, 1);
    csr_symmetry(&r, &A->csr, words_of(&words));
    copy_words(&r, words_of(&words), words_of(&box), SYMMETRY_WORDS);
    vks_status s = rec_run_once(&r, w.status);
    if (!s)
        memcpy(found, box.mapped, sizeof found);
    room_close(&w);
    *out = (struct symmetry){.unequal = found[SYMMETRY_UNEQUAL],
                             .zero = found[SYMMETRY_ZERO],
                             .negative = found[SYMMETRY_NEGATIVE],
                             .positive = found[SYMMETRY_POSITIVE]};
    return s;
}
