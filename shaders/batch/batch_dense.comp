#define SUMS 1
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "batch/batch.h"
#include "solver/state.h"

/* y += A^-1 r for each system of a batch of up to BATCH_DENSE rows, by Gauss-Jordan elimination; the pivot of a column
 * is its entry of largest magnitude, the first of equals. Only the lane of a row reads and writes it in the dense
 * matrix; the row of a pivot is shared. Traffic: the dense matrices once per column, from the cache if they fit. */
ARGS {
    u32s    place; /* PLACE_... of each system */
    u32s    col;
    scalars val;
    scalars y;
    scalars r;
    scalars dense;   /* element (i, j) of a system is number PLACE_DENSE + j rows + i; unused by the twin */
    u32s    word;    /* WORD_... of each system */
    reals   numbers; /* NUMBER_... of each system */
    uint    first;   /* of the systems of this dispatch */
    uint    end;
};
CONSTANT(1, squads);
CONSTANT(2, spread);

#include "batch/direct.glsl"

scalar_t pivot_[TOGETHER_TILES]; /* of this lane's rows; 0: not yet */
uint dense_at;

uint steps()
{
    return (32u << spread) + 1u;
}

uint element(uint i, uint j)
{
    return dense_at + j * rows + i;
}

void load()
{
    dense_at = exists ? place.at[PLACE_WORDS * me + PLACE_DENSE] : 0u;
    EACH_ROW(u) {
        uint i = row_of(u);
        pivot_[u] = scalar_t(0);
        for (uint j = 0; i < rows && j < rows; j++)
            dense.at[element(i, j)] = scalar_t(0);
        for (uint k = 0; i < rows && k < width; k++) {
            uint e = k * rows + i, j = col.at[columns_at + e];
            dense.at[element(i, j)] = dense.at[element(i, j)] + val.at[values_at + e];
        }
    }
}

/* The bits of a magnitude, in their order. */
uvec2 bits_of(scalar_t v)
{
#if REAL == 64
    uvec2 bits = unpackDouble2x32(v);
    return uvec2(bits.y & 0x7FFFFFFFu, bits.x);
#else
    return uvec2(floatBitsToUint(v) & 0x7FFFFFFFu, 0u);
#endif
}

/* TOGETHER. The row of the pivot of a column; NO_ENTRY: there is none. */
uint find_pivot(uint column)
{
    uvec2 most = uvec2(0);
    uint row = NO_ENTRY;
    EACH_ROW(u)
        if (row_of(u) < rows && column < rows && pivot_[u] == scalar_t(0)) {
            uvec2 bits = bits_of(dense.at[element(row_of(u), column)]);
            if (bits.x > most.x || (bits.x == most.x && bits.y > most.y)) {
                most = bits;
                row = row_of(u);
            }
        }
    uint high = system_max(most.x), low = system_max(most.x == high ? most.y : 0u);
    bool is_largest = row != NO_ENTRY && most.x == high && most.y == low;
    return ~system_max(is_largest ? ~row : 0u);
}

/* Shares the row of the pivot, by the lane that has it. */
void share(uint row, uint column)
{
    system_sync();
    EACH_ROW(u)
        if (row_of(u) == row && row < rows) {
            for (uint j = column; j < rows; j++)
                held[held_from() + j] = dense.at[element(row, j)];
            held[held_from() + BATCH_DENSE] = r_[u];
            pivot_[u] = dense.at[element(row, column)];
            to_[u] = column;
        }
    system_sync();
}

void subtract(uint row, uint column)
{
    EACH_ROW(u) {
        uint i = row_of(u);
        if (i >= rows || i == row)
            continue;
        scalar_t factor = divide(dense.at[element(i, column)], held[held_from() + column]);
        for (uint j = column + 1u; j < rows; j++)
            dense.at[element(i, j)] = dense.at[element(i, j)] - mul(factor, held[held_from() + j]);
        r_[u] = r_[u] - mul(factor, held[held_from() + BATCH_DENSE]);
    }
}

void eliminate(uint column)
{
    if (column + 1u == steps()) {
        EACH_ROW(u)
            r_[u] = divide(r_[u], pivot_[u]);
        return;
    }
    uint row = find_pivot(state == STATE_MET ? column : rows);
    share(row, column);
    if (state != STATE_MET || column >= rows)
        return;
    if (row == NO_ENTRY) {
        state = UNFIT_SINGULAR;
        fault = column;
    } else if (!finite(held[held_from() + column])) {
        state = STATE_NOT_FINITE;
    } else {
        subtract(row, column);
    }
}
