#define SUMS 1
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "batch/batch.h"
#include "solver/state.h"

/* y += A^-1 r for each tridiagonal system of a batch, by parallel cyclic reduction without pivoting: R. W. Hockney,
 * C. R. Jesshope, "Parallel computers" (1981). Step s removes the neighbours 2^s rows away from each row; each row ends
 * alone. Traffic: the matrices and r read, y read and written. */
ARGS {
    u32s    place; /* PLACE_... of each system */
    u32s    col;
    scalars val;
    scalars y;
    scalars r;
    u32s    word;    /* WORD_... of each system */
    reals   numbers; /* NUMBER_... of each system */
    uint    first;   /* of the systems of this dispatch */
    uint    end;
};
CONSTANT(1, squads);
CONSTANT(2, spread);

#include "batch/direct.glsl"

scalar_t below_[TOGETHER_TILES], diagonal_[TOGETHER_TILES], above_[TOGETHER_TILES];
uint is_zero; /* a divisor was */

void load()
{
    is_zero = 0u;
    EACH_ROW(u) {
        uint i = row_of(u);
        below_[u] = above_[u] = scalar_t(0);
        diagonal_[u] = i < rows ? scalar_t(0) : scalar_of(real(1));
        for (uint k = 0; i < rows && k < width; k++) {
            uint e = k * rows + i, j = col.at[columns_at + e];
            scalar_t v = val.at[values_at + e];
            below_[u] = below_[u] + (j < i ? v : scalar_t(0));
            diagonal_[u] = diagonal_[u] + (j == i ? v : scalar_t(0));
            above_[u] = above_[u] + (j > i ? v : scalar_t(0));
        }
    }
}

/* One for each bit of the most rows of a system, and one that divides. */
uint steps()
{
    return (squads == 1u ? 6u : 9u) + spread;
}

/* An element of the vector that hold() shared; 0 outside. */
scalar_t held_before(uint i, uint distance)
{
    return i < rows && i >= distance ? held[held_from() + i - distance] : scalar_t(0);
}

scalar_t held_after(uint i, uint distance)
{
    return i < rows && i + distance < rows ? held[held_from() + i + distance] : scalar_t(0);
}

/* Removes the neighbours `distance` rows away. */
void reduce(uint distance)
{
    scalar_t inverse[TOGETHER_TILES], by_before[TOGETHER_TILES], by_after[TOGETHER_TILES], sum[TOGETHER_TILES],
        before[TOGETHER_TILES], after[TOGETHER_TILES];
    EACH_ROW(u)
        inverse[u] = divide(scalar_of(real(1)), diagonal_[u]);
    hold(inverse);
    EACH_ROW(u) {
        by_before[u] = mul(below_[u], held_before(row_of(u), distance));
        by_after[u] = mul(above_[u], held_after(row_of(u), distance));
    }
    hold(above_);
    EACH_ROW(u) {
        sum[u] = diagonal_[u] - mul(by_before[u], held_before(row_of(u), distance));
        after[u] = held_after(row_of(u), distance);
    }
    hold(below_);
    EACH_ROW(u) {
        diagonal_[u] = sum[u] - mul(by_after[u], held_after(row_of(u), distance));
        before[u] = held_before(row_of(u), distance);
    }
    hold(r_);
    EACH_ROW(u) {
        scalar_t left = r_[u] - mul(by_before[u], held_before(row_of(u), distance));
        r_[u] = left - mul(by_after[u], held_after(row_of(u), distance));
        below_[u] = -mul(by_before[u], before[u]);
        above_[u] = -mul(by_after[u], after[u]);
    }
}

void eliminate(uint step)
{
    EACH_ROW(u)
        is_zero = row_of(u) < rows && diagonal_[u] == scalar_t(0) ? 1u : is_zero;
    if (step + 1u < steps()) {
        reduce(1u << step);
        return;
    }
    EACH_ROW(u)
        r_[u] = divide(r_[u], diagonal_[u]);
    if (system_max(is_zero) != 0u)
        state = STATE_BREAKDOWN;
}
