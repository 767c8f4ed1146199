#define SUMS 1
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/cg.h"
#include "solver/state.h"
#include "batch/batch.h"

/* The start of the solves of a batch: x is copied to y, or y is zero; the inverse of the diagonal; ||b||, and the norm
 * that meets the tolerance; the first row that does not suit the method. Traffic: the matrices, b and x read, y and
 * the diagonals written. */
ARGS {
    u32s        place; /* PLACE_... of each system */
    u32s        col;
    scalars     val;
    scalars     b;
    scalars     x;
    scalars     y;
    scalars     d;
    u32s        word;   /* WORD_... of each system */
    reals       numbers;/* NUMBER_... of each system */
    reals       tolerance; /* relative, absolute */
    uint        first; /* of the systems of this dispatch */
    uint        end;
    uint        zero_guess;
    uint        positive; /* 1: negative entries on the diagonal do not suit the method */
    uint        form;     /* FORM_NONE or FORM_EACH */
};
CONSTANT(1, squads);
CONSTANT(2, spread);

#include "batch/frame.glsl"
#include "batch/norm.glsl"

/* The fault of row i: 0 for the first of UNFIT_..., or UNFIT_FAULTS. */
uint fault_of(uint i, scalar_t diagonal, bool empty, scalar_t b_i)
{
    if (form == FORM_EACH && diagonal == scalar_t(0))
        return 0u;
    if (form == FORM_EACH && positive != 0u && diagonal < scalar_t(0))
        return UNFIT_NOT_POSITIVE - UNFIT_ZERO_DIAGONAL;
    return empty && b_i != scalar_t(0) ? UNFIT_SINGULAR - UNFIT_ZERO_DIAGONAL : UNFIT_FAULTS;
}

/* Reads row i; the result is i and its fault in one number, and NO_ENTRY without a fault. */
uint read_row(uint i, scalar_t b_i)
{
    scalar_t diagonal = scalar_t(0);
    bool empty = true;
    for (uint k = 0; k < width; k++) {
        uint e = k * rows + i;
        scalar_t a = val.at[values_at + e];
        diagonal = col.at[columns_at + e] == i ? diagonal + a : diagonal;
        empty = empty && a == scalar_t(0);
    }
    d.at[at + i] = form == FORM_EACH ? divide(scalar_of(real(1)), diagonal) : scalar_of(real(1));
    y.at[at + i] = zero_guess != 0u ? scalar_t(0) : x.at[at + i];
    uint fault = fault_of(i, diagonal, empty, b_i);
    return fault == UNFIT_FAULTS ? NO_ENTRY : UNFIT_FAULTS * i + fault;
}

void main()
{
    scalar_t b_[TOGETHER_TILES];
    find_system();
    uint worst = NO_ENTRY;
    EACH_ROW(u) {
        uint i = row_of(u);
        b_[u] = i < rows ? b.at[at + i] : scalar_t(0);
        if (i < rows)
            worst = min(worst, read_row(i, b_[u]));
    }
    worst = ~system_max(~worst);
    int e = system_exponent(b_);
    real norm = system_norm(b_, e);
    if (!exists || !leads())
        return;
    uint of_words = BATCH_WORDS * me, of_numbers = BATCH_NUMBERS * me;
    word.at[of_words + WORD_STATE] = worst == NO_ENTRY ? STATE_MET : UNFIT_ZERO_DIAGONAL + worst % UNFIT_FAULTS;
    word.at[of_words + WORD_ENDED] = 0;
    word.at[of_words + WORD_ITERATION] = 0;
    word.at[of_words + WORD_CYCLE] = 0;
    word.at[of_words + WORD_FRESH] = 0;
    word.at[of_words + WORD_ROW] = worst == NO_ENTRY ? NO_ENTRY : worst / UNFIT_FAULTS;
    numbers.at[of_numbers + NUMBER_RR] = real(0);
    numbers.at[of_numbers + NUMBER_STOP] = real(0);
    numbers.at[of_numbers + NUMBER_SCALE] = real(1);
    numbers.at[of_numbers + NUMBER_B] = norm;
    real goal = tolerance.at[0] * norm;
    numbers.at[of_numbers + NUMBER_GOAL] = goal < tolerance.at[1] ? tolerance.at[1] : goal;
    numbers.at[of_numbers + NUMBER_BEFORE] = real(0);
    numbers.at[of_numbers + NUMBER_BEST] = real(0);
}
