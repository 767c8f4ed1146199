/* Iterations of conjugate gradients in one dispatch, whose workgroups synchronise three times per iteration: for the
 * sum p . q, for the sums r . z and r . r, and for p. Operations and sums are those of spmv_..._dot, cg_update and
 * cg_direction, and so are the bits. Used only if a trial found that many workgroups co-resident
 * (solvers/method/cg_fused.c).
 *
 * All vectors stay in registers, and the sums are those of rendezvous.glsl. Other workgroups read p: its memory is
 * `nonprivate`.
 *
 * All invocations compute the same alpha, beta and state. Only the first workgroup writes them, at the end. A workgroup
 * that times out publishes that and returns, and so do the others. STATE_TIMED_OUT: nothing has been written, as if the
 * dispatch had not been submitted. STATE_INCONSISTENT: some of x, r and p have made a step and some have not.
 *
 * Included after ARGS, which must have c, w, sync_words, x, p, r, d, history, n, count (iterations; 0: only synchronise)
 * and the constants form and spread; and after `scalar_t row_of_product(uint part, uint row)`: this lane's row of A p, in
 * slice `part` of 32 rows; 0 beyond the last. */
#include "solver/rendezvous.glsl"

/* Loops over registers. CPU compilers take a long time to unroll them all. */
#if SUBGROUP
#define EACH_ELEMENT(u) [[unroll]] for (uint u = 0; u < TOGETHER_TILES; u++)
#else
#define EACH_ELEMENT(u) [[dont_unroll]] for (uint u = 0; u < TOGETHER_TILES; u++)
#endif

shared uint alive_here;
bool stepped; /* whether x, r and p of this workgroup differ from those of the previous dispatch */
scalar_t x_[TOGETHER_TILES], p_[TOGETHER_TILES], q_[TOGETHER_TILES], r_[TOGETHER_TILES], d_[TOGETHER_TILES];

/* Slice number u, of 1 << s, of 32 elements of this lane group's tile. */
uint slice_of(uint u)
{
    uint parts = 8u >> spread, per = 256u >> spread, g = gl_WorkGroupID.x;
    uint tile = 256u * (g / per) + g % per + per * (SQUAD / parts);
    return 8u * tile + SQUAD % parts + parts * u;
}

bool has_element(uint u)
{
    return u < 1u << spread;
}

uint element_of(uint u)
{
    return has_element(u) ? 32u * slice_of(u) + LANE : n;
}

void load()
{
    EACH_ELEMENT(u) {
        uint i = element_of(u);
        bool is = i < n;
        x_[u] = is ? x.at[i] : scalar_t(0);
        p_[u] = is ? scalars_in(p).at[i] : scalar_t(0);
        r_[u] = is ? r.at[i] : scalar_t(0);
        d_[u] = is && form != FORM_NONE ? d.at[i] : scalar_of(real(1));
        q_[u] = scalar_t(0);
    }
}

void leave()
{
    EACH_ELEMENT(u) {
        uint i = element_of(u);
        if (i < n) {
            x.at[i] = x_[u];
            r.at[i] = r_[u];
        }
    }
}

/* Stores terms for summation by the workgroup. */
void leave_terms(uint c, scalar_t v[TOGETHER_TILES])
{
    terms[c][ME] = spread_sum(v[0], v[1], v[2], v[3]);
}

/* q = A p, and the terms of p . q */
void multiply()
{
    scalar_t pq[TOGETHER_TILES];
    EACH_ELEMENT(u) {
        if (has_element(u))
            q_[u] = row_of_product(slice_of(u), 32u * slice_of(u) + LANE);
        pq[u] = mul(conj(p_[u]), q_[u]);
    }
    leave_terms(0, pq);
}

/* r = r - alpha q, and the terms of r . z and r . r */
void update(real alpha)
{
    scalar_t rz[TOGETHER_TILES], rr[TOGETHER_TILES];
    EACH_ELEMENT(u) {
        r_[u] = element_of(u) < n ? r_[u] - alpha * q_[u] : scalar_t(0);
        rz[u] = form != FORM_NONE ? mul(conj(r_[u]), mul(d_[u], r_[u])) : mul(conj(r_[u]), r_[u]);
        rr[u] = mul(conj(r_[u]), r_[u]);
    }
    leave_terms(0, rz);
    leave_terms(1, rr);
}

/* x = x + alpha p, p = z + beta p */
void direct(real alpha, real beta)
{
    EACH_ELEMENT(u) {
        uint i = element_of(u);
        scalar_t z = form != FORM_NONE ? mul(d_[u], r_[u]) : r_[u];
        x_[u] = x_[u] + alpha * p_[u];
        p_[u] = z + beta * p_[u];
        if (i < n)
            scalars_in(p).at[i] = p_[u];
    }
}

/* Constants of an iteration. */
real stop, ceiling, scale;
uint limit, kept;

/* Numbers that are written at the end. */
struct numbers {
    real rho, pq, alpha, rho_old, rr;
    uint k, state;
};

/* Writes the numbers for the next dispatch, and for the report. */
void leave_numbers(numbers now)
{
    w.rho = now.rho;
    w.pq = now.pq;
    w.alpha = now.alpha * scale;
    w.rho_old = now.rho_old;
    c.rr = now.rr;
    c.iteration = now.k;
    c.seen = now.k;
    sync_words.at[RENDEZVOUS_ROUND] = round;
    atomicCompSwap(c.state, STATE_RUNNING, now.state); /* unless another workgroup reports a timeout */
}

/* Ends this dispatch. */
void leave_all(numbers now)
{
    if (stepped)
        leave();
    if (gl_WorkGroupID.x == 0 && ME == 0)
        leave_numbers(now);
}

/* Ends a workgroup that timed out. */
void leave_alone()
{
    if (stepped)
        leave();
    if (ME == 0) {
        sync_words.at[RENDEZVOUS_MISSED] = 1;
        if (count != 0)
            atomicMax(c.state, stepped ? STATE_INCONSISTENT : STATE_TIMED_OUT);
    }
}

/* Computes alpha; false if there is none. */
bool find_step(inout numbers now)
{
    now.alpha = divide(now.rho, now.pq);
    now.rho_old = now.rho;
    if (!finite(now.pq))
        now.state = STATE_NOT_FINITE;
    else if (!(now.pq > real(0)))
        now.state = STATE_NOT_POSITIVE;
    return now.state == STATE_RUNNING;
}

/* Updates the numbers after the sums r . z and r . r. */
void take_step(inout numbers now, real rho, real rr)
{
    direct(now.alpha * scale, divide(rho, now.rho));
    now.rho = rho;
    now.rr = rr;
    now.k++;
    if (gl_WorkGroupID.x == 0 && ME == 0 && now.k <= kept)
        history.at[now.k - 1u] = rr;
    bool sound = finite(rr) && finite(rho);
    now.state = CG_STATE_AFTER(sound, now.k, limit, rho, rr, stop, ceiling);
}

/* One iteration; false if it is the last, of this dispatch or of the solve, or if synchronisation timed out. */
bool iterate(inout numbers now, bool last)
{
    scalar_t total[SUMS];
    multiply();
    bool together = whole_sums(0, 1, total), goes_on = together;
    if (together) {
        now.pq = real_part(total[0]);
        goes_on = find_step(now);
    }
    if (goes_on) {
        stepped = true;
        update(now.alpha);
        together = whole_sums(1, 2, total);
        if (together)
            take_step(now, real_part(total[0]), real_part(total[1]));
        goes_on = together && !last && now.state == STATE_RUNNING;
    }
    if (goes_on)
        together = rendezvous();
    if (!together)
        leave_alone();
    else if (!goes_on)
        leave_all(now);
    return together && goes_on;
}

void know()
{
    stop = c.stop;
    ceiling = c.ceiling;
    scale = c.scale;
    limit = c.limit;
    kept = sync_words.at[RENDEZVOUS_KEPT];
}

/* Everything is written within the loop: after a loop with barriers, llvmpipe (Mesa 22) loses invocations that run its
 * inner loops at their own pace. */
void main()
{
    stepped = false;
    if (ME == 0) {
        gave_up = 0;
        alive_here = uint(count == 0 || alive(c)); /* other workgroups may write a timeout: all invocations must use
                                                      the same value */
    }
    barrier();
    if (alive_here == 0)
        return;
    round = sync_words.at[RENDEZVOUS_ROUND];
    polls = sync_words.at[RENDEZVOUS_POLLS];
    bool goes_on = rendezvous();
    numbers now = numbers(w.rho, w.pq, real(0), w.rho_old, c.rr, c.iteration, STATE_RUNNING);
    if (!goes_on)
        leave_alone();
    else if (count == 0 && gl_WorkGroupID.x == 0 && ME == 0)
        sync_words.at[RENDEZVOUS_ROUND] = round;
    if (count == 0 || !goes_on)
        return;
    load();
    know();
    for (uint turn = 1u; goes_on; turn++)
        goes_on = iterate(now, turn == count);
}
