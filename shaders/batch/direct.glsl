/* A direct method in a kernel of batches: y += A^-1 r for each system that runs, in `steps()` steps. The true residual
 * that follows decides whether another correction is needed.
 *
 * Included after ARGS, which must also have y, r, word and numbers. The method defines load(), steps(), which is the
 * same for all systems of a dispatch, and eliminate(), which is TOGETHER. After the last step r_ has the solution. */
#include "batch/frame.glsl"

scalar_t r_[TOGETHER_TILES]; /* right-hand sides */
uint to_[TOGETHER_TILES];    /* the element of the solution that r_ becomes */
uint state, fault;           /* the state that follows, and the row of UNFIT_... */

void load();
uint steps();
void eliminate(uint step);

void leave()
{
    real scale = numbers.at[BATCH_NUMBERS * me + NUMBER_SCALE];
    EACH_ROW(u)
        if (row_of(u) < rows && state == STATE_MET)
            y.at[at + to_[u]] = y.at[at + to_[u]] + scale * r_[u];
    if (!leads())
        return;
    uint of_words = BATCH_WORDS * me;
    word.at[of_words + WORD_STATE] = state;
    word.at[of_words + WORD_ITERATION] = word.at[of_words + WORD_ITERATION] + 1u;
    word.at[of_words + WORD_ROW] = fault;
    numbers.at[BATCH_NUMBERS * me + NUMBER_RR] = real(0);
}

/* Everything is written within the loop, as in batch/method.glsl. */
void main()
{
    find_system();
    bool runs = exists && word.at[BATCH_WORDS * me + WORD_ENDED] == 0u &&
                word.at[BATCH_WORDS * me + WORD_STATE] == STATE_RUNNING;
    rows = runs ? rows : 0u;
    state = STATE_MET;
    fault = NO_ENTRY;
    EACH_ROW(u) {
        r_[u] = row_of(u) < rows ? r.at[at + row_of(u)] : scalar_t(0);
        to_[u] = row_of(u);
    }
    load();
    for (uint step = 0; step <= steps(); step++) {
        if (step < steps())
            eliminate(step);
        else if (runs)
            leave();
    }
}
