/* The fixed-point iteration x = A x + b: up to rounding, the Jacobi iteration for I - A with D = I.
 *
 *   q = A x                                     spmv            matrix + 2n
 *   x = q + b                                   jacobi_update   3n */
#include "solvers/method/sweep.h"

static void room(struct krylov *k)
{
    sweep_room(k, true);
}

const struct method method_fixed_point = {.rows = 1,
                                          .numbers = SWEEP_NUMBERS,
                                          .steps = JACOBI_SWEEP,
                                          .room = room,
                                          .numbers_at_start = sweep_numbers_at_start,
                                          .unit = sweep_unit,
                                          .contraction = sweep_contraction,
                                          .explain = sweep_explain};
