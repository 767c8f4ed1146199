/* The decision after the true residual of a system of a batch, in text that is also C. A method continues while its
 * recurrence agrees with the true residual; otherwise a new cycle begins from the true one, if the last cycle halved
 * it. */
#include "batch/batch.h"
#include "solver/state.h"

#define NEXT_END 0u   /* the solve ends in the state */
#define NEXT_GO_ON 1u /* the recurrence continues to a lower goal */
#define NEXT_CYCLE 2u /* a cycle begins from the true residual */

STRUCT(batch_view) {
    uint state, iteration, cycle, limit;
    bool is_finite;  /* the norm */
    bool fits;       /* the norm of the best x is finite and meets the goal */
    real norm;       /* of the true residual */
    real before;     /* of that at the start of the cycle */
    real recurrence; /* the method's own norm */
    real goal;
};

/* The state of a cycle that has ended without a solution. A restarted cycle begins at rounding level, where p . A p
 * says nothing about A. */
INLINE uint batch_end_of(batch_view v)
{
    if (v.state == STATE_MET)
        return v.iteration >= v.limit ? STATE_LIMIT : STATE_STAGNATED;
    return v.state == STATE_NOT_POSITIVE && v.cycle > 1u ? STATE_STAGNATED : v.state;
}

/* The state in which the solve ends, if batch_next_of is NEXT_END. */
INLINE uint batch_state_of(batch_view v)
{
    if (v.fits)
        return STATE_MET;
    return v.is_finite || v.state >= UNFIT_ZERO_DIAGONAL ? batch_end_of(v) : STATE_NOT_FINITE;
}

INLINE uint batch_next_of(batch_view v)
{
    bool halved = v.cycle == 0u || v.norm <= v.before / real(2);
    bool can = v.state == STATE_MET || (v.state == STATE_BREAKDOWN && v.cycle > 0u);
    if (v.fits || !v.is_finite || !can || v.iteration >= v.limit)
        return NEXT_END;
    if (v.cycle > 0u && v.state == STATE_MET && v.recurrence <= v.goal && v.norm <= real(2) * v.recurrence)
        return NEXT_GO_ON;
    return halved ? NEXT_CYCLE : NEXT_END;
}
