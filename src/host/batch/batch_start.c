#include "host/batch/frame.h"
#include "shaders/solver/cg.h"

/* The fault of a row: 0 for the first of UNFIT_..., or UNFIT_FAULTS. */
static uint32_t fault_of(const struct batch_start_args *a, scalar_t diagonal, bool empty, scalar_t b)
{
    if (a->form == FORM_EACH && diagonal == 0)
        return 0;
    if (a->form == FORM_EACH && a->positive && diagonal < 0)
        return UNFIT_NOT_POSITIVE - UNFIT_ZERO_DIAGONAL;
    return empty && b != 0 ? UNFIT_SINGULAR - UNFIT_ZERO_DIAGONAL : UNFIT_FAULTS;
}

static uint32_t read_row(const struct batch_start_args *a, const struct batch_system *A, uint32_t i)
{
    scalar_t diagonal = 0;
    bool empty = true;
    for (uint32_t k = 0; k < A->width; k++) {
        scalar_t v = A->val[k * A->n + i];
        diagonal = A->col[k * A->n + i] == i ? diagonal + v : diagonal;
        empty = empty && v == 0;
    }
    a->d[A->at + i] = a->form == FORM_EACH ? divide(1, diagonal) : 1;
    a->y[A->at + i] = a->zero_guess ? 0 : a->x[A->at + i];
    uint32_t fault = fault_of(a, diagonal, empty, a->b[A->at + i]);
    return fault == UNFIT_FAULTS ? NO_ENTRY : UNFIT_FAULTS * i + fault;
}

static void start(const struct batch_start_args *a, const struct batch_system *A)
{
    uint32_t worst = NO_ENTRY;
    for (uint32_t i = 0; i < A->n; i++) {
        uint32_t found = read_row(a, A, i);
        worst = found < worst ? found : worst;
    }
    const scalar_t *b = a->b + A->at;
    real norm = batch_norm(b, A->n, batch_largest_exponent(b, A->n)), goal = a->tolerance[0] * norm;
    memset(A->word, 0, BATCH_WORDS * sizeof *A->word);
    memset(A->number, 0, BATCH_NUMBERS * sizeof *A->number);
    A->word[WORD_STATE] = worst == NO_ENTRY ? STATE_MET : UNFIT_ZERO_DIAGONAL + worst % UNFIT_FAULTS;
    A->word[WORD_ROW] = worst == NO_ENTRY ? NO_ENTRY : worst / UNFIT_FAULTS;
    A->number[NUMBER_SCALE] = 1;
    A->number[NUMBER_B] = norm;
    A->number[NUMBER_GOAL] = goal < a->tolerance[1] ? a->tolerance[1] : goal;
}

KERNEL(batch_start)
{
    FOR_SYSTEMS(s, a->first, a->end)
    {
        const struct batch_system A = BATCH_SYSTEM(a, s);
        start(a, &A);
    }
}
