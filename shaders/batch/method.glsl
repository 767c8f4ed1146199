/* The loop of a method in a kernel of batches: up to `turns` iterations of each system that runs. Vectors stay in
 * registers between load() and leave().
 *
 * Included after ARGS, which must also have y, r, p, d, word, numbers, limit and turns. The method defines begin() and
 * step(), which are TOGETHER. */
#include "batch/frame.glsl"

scalar_t y_[TOGETHER_TILES], r_[TOGETHER_TILES], p_[TOGETHER_TILES], d_[TOGETHER_TILES];
real stop, scale, rho, rr;
uint k, state;

/* Computes p, if it is fresh, and otherwise loads it; then rho, rr and the state. */
void begin(bool is_fresh);
/* One iteration, if the system runs: its vectors, rho, rr, k and the state. */
void step_of_method(bool runs);

void load()
{
    EACH_ROW(u) {
        bool is = row_of(u) < rows;
        uint i = at + row_of(u);
        y_[u] = is ? y.at[i] : scalar_t(0);
        r_[u] = is ? r.at[i] : scalar_t(0);
        p_[u] = is ? p.at[i] : scalar_t(0);
        d_[u] = is ? d.at[i] : scalar_t(0);
    }
}

void leave()
{
    EACH_ROW(u)
        if (row_of(u) < rows) {
            uint i = at + row_of(u);
            y.at[i] = y_[u];
            r.at[i] = r_[u];
            p.at[i] = p_[u];
        }
    if (!leads())
        return;
    word.at[BATCH_WORDS * me + WORD_STATE] = state;
    word.at[BATCH_WORDS * me + WORD_ITERATION] = k;
    word.at[BATCH_WORDS * me + WORD_FRESH] = 0u;
    numbers.at[BATCH_NUMBERS * me + NUMBER_RR] = rr;
}

/* Everything is written within the loop: after a loop with barriers, llvmpipe (Mesa 22) loses invocations that run its
 * inner loops at their own pace. */
void main()
{
    find_system();
    bool runs = exists && word.at[BATCH_WORDS * me + WORD_ENDED] == 0u &&
                word.at[BATCH_WORDS * me + WORD_STATE] == STATE_RUNNING;
    rows = runs ? rows : 0u;
    stop = runs ? numbers.at[BATCH_NUMBERS * me + NUMBER_STOP] : real(0);
    scale = runs ? numbers.at[BATCH_NUMBERS * me + NUMBER_SCALE] : real(0);
    k = runs ? word.at[BATCH_WORDS * me + WORD_ITERATION] : 0u;
    load();
    begin(runs && word.at[BATCH_WORDS * me + WORD_FRESH] == 1u);
    if (runs && state != STATE_RUNNING) {
        leave();
        runs = false;
    }
    uint turn = 0;
    while (some(runs)) {
        turn++;
        step_of_method(runs);
        bool goes_on = runs && state == STATE_RUNNING && turn != turns;
        if (runs && !goes_on)
            leave();
        runs = goes_on;
    }
}
