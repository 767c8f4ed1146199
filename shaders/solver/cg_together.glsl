/* Iterations of conjugate gradients in one dispatch, whose workgroups wait for each other three times an iteration: for the
 * sum p . q, for the sums r . z and r . r, and for p. Operations and sums are those of spmv_..._dot, cg_update and cg_direction,
 * and so are the bits. Only where that many workgroups have been seen to run at once (solvers/cg_together.c).
 *
 * A workgroup has 1 << s tiles of 256 elements, an invocation 1 << s elements of one tile, of which all vectors stay in registers.
 * The tiles are those of a group of 256 that the first strides of the tree over tile sums (sum.glsl) add up: 256 >> s apart;
 * and the elements those of a tile that the first strides of its tree add up. So a workgroup tells one sum, in words
 * that bear the number of the meeting (halves.glsl): who has them all needs no other sign, and all workgroups add them up
 * alike. p is read by others: memory of it is `nonprivate`, and meet() makes it visible.
 *
 * All invocations come to the same alpha, beta and state. The first workgroup alone tells them, at the end. A wait is
 * bounded: who has waited in vain says so and leaves, and so will the others. STATE_ALONE: nothing has been written, as
 * if it had never been submitted. STATE_ASTRAY: some of x, r and p have made a step and some have not.
 *
 * Included after ARGS, which has to have c, w, met, x, p, r, d, history, n, count (iterations; 0: only meet) and form; and
 * after `real row_of_product(uint part, uint row)`: that row of A p, of this lane, in slice `part` of 32 rows; 0 beyond the last. */
#define ALL_MEMORY (gl_StorageSemanticsBuffer | gl_StorageSemanticsShared)
#define BOTH_WAYS (gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible)

/* Loops over registers. Compilers for processors take long to unroll them all. */
#if SUBGROUP
#define EACH_ELEMENT(u) [[unroll]] for (uint u = 0; u < TOGETHER_TILES; u++)
#else
#define EACH_ELEMENT(u) [[dont_unroll]] for (uint u = 0; u < TOGETHER_TILES; u++)
#endif

ADDRESS(WORDS_BYTES) coherent volatile buffer told_values { words_t at[]; };

shared uint alive_here, gave_up;
shared real terms[SUMS][256];            /* of the sums of the workgroup's tiles */
shared real tile_sums[SUMS * TOGETHER_TILES];
shared real told[SUMS][TOGETHER_MOST];
uint round;   /* the number of the last meeting */
uint polls;   /* looks for the others before a workgroup gives up */
bool stepped; /* whether this workgroup's x, r and p are no longer those of the dispatch before */

uint spread()
{
    return form >> FORM_SPREAD;
}

/* Where workgroup g tells sum k, and in place of sum 3 that it has come to a meeting. Neighbours side by side: all read all. */
uint told_at(uint g, uint k)
{
    return 4u * MEETING_HEAD / WORDS_BYTES + TOGETHER_MOST * k + g;
}

uint tag()
{
    return round << 16;
}

void say(uint k, words_t halves)
{
    told_values(uvec2(met)).at[told_at(gl_WorkGroupID.x, k)] = halves | tag();
}

/* Whether it is so in this invocation and, where it goes on with others in one subgroup, in these. */
bool in_all(bool so)
{
#if SUBGROUP
    return subgroupBallot(!so) == uvec4(0);
#else
    return so;
#endif
}

/* Waits for what workgroup g tells as sum k. */
words_t hear(uint g, uint k)
{
    bool heard = g >= gl_NumWorkGroups.x;
    words_t words = words_t(0);
    for (uint look = 0; look < polls && !in_all(heard); look++)
        if (!heard) {
            words = told_values(uvec2(met)).at[told_at(g, k)];
            heard = ((words ^ tag()) & 0xFFFF0000u) == words_t(0);
        }
    if (!heard)
        gave_up = 1;
    return words;
}

uint reached_at(uint g)
{
    return told_at(g, 3u) * (WORDS_BYTES / 4u);
}

/* Waits until workgroup g has come to this meeting. An atomic, since the fences of meet() order memory by it. */
void wait_for(uint g)
{
    bool is_there = g >= gl_NumWorkGroups.x;
    for (uint look = 0; look < polls && !in_all(is_there); look++)
        is_there = is_there || atomicLoad(met.at[reached_at(g)], gl_ScopeDevice, 0, 0) == round;
    if (!is_there)
        gave_up = 1;
}

/* False where the others have not come; else what they wrote before is visible. Called by the whole workgroup. */
bool meet()
{
    round++;
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, ALL_MEMORY, BOTH_WAYS);
    if (gl_NumWorkGroups.x == 1u)
        return polls > 0;
    if (ME == 0) {
        memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
        atomicStore(met.at[reached_at(gl_WorkGroupID.x)], round, gl_ScopeDevice, 0, 0);
    }
    for (uint g = ME; g - LANE < gl_NumWorkGroups.x; g += 256u)
        wait_for(g);
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, ALL_MEMORY, BOTH_WAYS);
    return gave_up == 0;
}

/* ---- Sums over all workgroups ---- */

/* The halving tree over the 32 << e values of a line of terms, e = 1, 2, 3. */
real line_sum(uint c, uint first, uint e)
{
    uint j = first + LANE;
    real sum = terms[c][j], other = terms[c][j + 32u];
    if (e == 2u) {
        sum = sum + terms[c][j + 64u];
        other = other + terms[c][j + 96u];
    }
    if (e == 3u) {
        sum = (sum + terms[c][j + 128u]) + (terms[c][j + 64u] + terms[c][j + 192u]);
        other = (other + terms[c][j + 160u]) + (terms[c][j + 96u] + terms[c][j + 224u]);
    }
    return squad_sum(sum + other);
}

/* The sums of this workgroup's tiles, of whose terms `terms` has what is left after the strides within an invocation.
 * A squad adds up a tile. */
void sum_tiles(uint rows)
{
    uint e = 3u - spread(), tiles = 1u << spread();
    barrier();
#if SUBGROUP
    if (SQUAD < TOGETHER_TILES * rows) /* elsewhere all take part, because of the barriers in squad_sum */
#endif
    {
        real sum = line_sum(SQUAD / TOGETHER_TILES, (32u << e) * (SQUAD % tiles), e);
        if (LANE == 0)
            tile_sums[SQUAD] = sum;
    }
    barrier();
}

/* The sums of this workgroup, up to `rows` from sum k on. */
void tell(uint k, uint rows)
{
    if (ME < rows) {
        uint first = ME * TOGETHER_TILES;
        real total = tile_sums[first];
        if (spread() == 1)
            total = total + tile_sums[first + 1u];
        if (spread() == 2)
            total = (total + tile_sums[first + 2u]) + (tile_sums[first + 1u] + tile_sums[first + 3u]);
        say(k + ME, halves_of(total));
    }
}

/* What workgroup g has told, 0 beyond the last. */
real told_by(uint c, uint g)
{
    return g < gl_NumWorkGroups.x ? told[c][g] : real(0);
}

/* The sum of group `group` of 256 tiles, for which 32 << e have told theirs. */
real told_sum(uint c, uint group, uint e)
{
    uint g = (32u << e) * group + LANE;
    real sum = told_by(c, g), other = told_by(c, g + 32u);
    if (e == 2u) {
        sum = sum + told_by(c, g + 64u);
        other = other + told_by(c, g + 96u);
    }
    if (e == 3u) {
        sum = (sum + told_by(c, g + 128u)) + (told_by(c, g + 64u) + told_by(c, g + 192u));
        other = (other + told_by(c, g + 160u)) + (told_by(c, g + 96u) + told_by(c, g + 224u));
    }
    return squad_sum(sum + other);
}

/* The whole sums of what has been told in `rows` rows. */
real[SUMS] add_up(uint rows, uint groups)
{
    real total[SUMS];
    uint e = 3u - spread();
    total[0] = told_sum(0, groups == 1 ? 0 : SQUAD, e);
    total[1] = rows == 1u ? total[0] : told_sum(1, groups == 1 ? 0 : SQUAD, e);
    if (groups == 1)
        return total;
    if (LANE == 0) {
        few_sums[SQUAD][0] = total[0];
        few_sums[SQUAD][1] = total[1];
    }
    barrier();
    total[0] = few_sum(0, groups);
    if (rows == 2u)
        total[1] = few_sum(1, groups);
    return total;
}

/* The whole sums of `rows` rows of `terms`, which are told as sums k, k + 1. False where others have not told theirs. Called
 * by the whole workgroup. */
bool whole_sums(uint k, uint rows, out real total[SUMS])
{
    sum_tiles(rows);
    if (gl_NumWorkGroups.x == 1u) { /* which has one tile */
        total = real[SUMS](tile_sums[0], tile_sums[TOGETHER_TILES]);
        return true;
    }
    round++;
    tell(k, rows);
    for (uint g = ME; g - LANE < gl_NumWorkGroups.x; g += 256u)
        for (uint c = 0; c < rows; c++)
            told[c][min(g, TOGETHER_MOST - 1u)] = of_halves(hear(g, k + c));
    barrier();
    total = add_up(rows, groups_of(tiles_of(n), 256u));
    return gave_up == 0;
}

/* ---- Iterations ---- */

real x_[TOGETHER_TILES], p_[TOGETHER_TILES], q_[TOGETHER_TILES], r_[TOGETHER_TILES], d_[TOGETHER_TILES];

/* This squad's slice of 32 elements of number u, of 1 << s, in its tile. */
uint slice_of(uint u)
{
    uint parts = 8u >> spread(), per = 256u >> spread(), g = gl_WorkGroupID.x;
    uint tile = 256u * (g / per) + g % per + per * (SQUAD / parts);
    return 8u * tile + SQUAD % parts + parts * u;
}

bool has_element(uint u)
{
    return u < 1u << spread();
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
        x_[u] = is ? x.at[i] : real(0);
        p_[u] = is ? reals_in(p).at[i] : real(0);
        r_[u] = is ? r.at[i] : real(0);
        d_[u] = is && (form & FORM_JACOBI) != 0 ? d.at[i] : real(1);
        q_[u] = real(0);
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

/* Terms as they are to be added up by the workgroup. */
void leave_terms(uint c, real v[TOGETHER_TILES])
{
    real sum = v[0];
    if (spread() == 1)
        sum = v[0] + v[1];
    if (spread() == 2)
        sum = (v[0] + v[2]) + (v[1] + v[3]);
    terms[c][ME] = sum;
}

/* q = A p, and the terms of p . q */
void multiply()
{
    real pq[TOGETHER_TILES];
    EACH_ELEMENT(u) {
        if (has_element(u))
            q_[u] = row_of_product(slice_of(u), 32u * slice_of(u) + LANE);
        pq[u] = p_[u] * q_[u];
    }
    leave_terms(0, pq);
}

/* r = r - alpha q, and the terms of r . z and r . r */
void update(real alpha)
{
    real rz[TOGETHER_TILES], rr[TOGETHER_TILES];
    EACH_ELEMENT(u) {
        r_[u] = element_of(u) < n ? r_[u] - alpha * q_[u] : real(0);
        rz[u] = (form & FORM_JACOBI) != 0 ? r_[u] * (d_[u] * r_[u]) : r_[u] * r_[u];
        rr[u] = r_[u] * r_[u];
    }
    leave_terms(0, rz);
    leave_terms(1, rr);
}

/* x = x + alpha p, p = z + beta p */
void direct(real alpha, real beta)
{
    EACH_ELEMENT(u) {
        uint i = element_of(u);
        real z = (form & FORM_JACOBI) != 0 ? d_[u] * r_[u] : r_[u];
        x_[u] = x_[u] + alpha * p_[u];
        p_[u] = z + beta * p_[u];
        if (i < n)
            reals_in(p).at[i] = p_[u];
    }
}

/* What the iteration knows from the start. */
real stop, ceiling, scale;
uint limit, kept;

uint state_after(uint k, real rho, real rr)
{
    if (!finite(rr) || !finite(rho))
        return STATE_NOT_FINITE;
    if (rr <= stop)
        return STATE_MET;
    if (rr > ceiling)
        return STATE_DIVERGED;
    if (rho < real(0))
        return STATE_NOT_POSITIVE;
    if (rho == real(0))
        return STATE_MET; /* r . z has underflowed: a new cycle may scale r anew */
    return k >= limit ? STATE_LIMIT : STATE_RUNNING;
}

/* The numbers that are told at the end. */
struct numbers {
    real rho, pq, alpha, rho_old, rr;
    uint k, state;
};

/* What the first workgroup leaves for the next dispatch, and for the report. */
void leave_numbers(numbers now)
{
    w.rho = now.rho;
    w.pq = now.pq;
    w.alpha = now.alpha * scale;
    w.rho_old = now.rho_old;
    w.rr = now.rr;
    c.iteration = now.k;
    met.at[MEETING_ROUND] = round;
    atomicCompSwap(c.state, STATE_RUNNING, now.state); /* unless another workgroup says that it waited in vain */
}

/* The end of this dispatch. */
void leave_all(numbers now)
{
    if (stepped)
        leave();
    if (gl_WorkGroupID.x == 0 && ME == 0)
        leave_numbers(now);
}

/* The end of a workgroup that has waited in vain. */
void leave_alone()
{
    if (stepped)
        leave();
    if (ME == 0) {
        met.at[MEETING_MISSED] = 1;
        if (count != 0)
            atomicMax(c.state, stepped ? STATE_ASTRAY : STATE_ALONE);
    }
}

/* alpha, and whether there is one. */
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

/* What follows the sums r . z and r . r. */
void take_step(inout numbers now, real rho, real rr)
{
    direct(now.alpha * scale, divide(rho, now.rho));
    now.rho = rho;
    now.rr = rr;
    now.k++;
    if (gl_WorkGroupID.x == 0 && ME == 0 && now.k <= kept)
        history.at[now.k - 1u] = rr;
    now.state = state_after(now.k, rho, rr);
}

/* One iteration; false where it is the last, of this dispatch or of all, or where the others have not come to it. */
bool iterate(inout numbers now, bool last)
{
    real total[SUMS];
    multiply();
    bool together = whole_sums(0, 1, total), goes_on = together;
    if (together) {
        now.pq = total[0];
        goes_on = find_step(now);
    }
    if (goes_on) {
        stepped = true;
        update(now.alpha);
        together = whole_sums(1, 2, total);
        if (together)
            take_step(now, total[0], total[1]);
        goes_on = together && !last && now.state == STATE_RUNNING;
    }
    if (goes_on)
        together = meet();
    if (!together)
        leave_alone();
    else if (!goes_on)
        leave_all(now);
    return together && goes_on;
}

void know()
{
    stop = w.stop;
    ceiling = w.ceiling;
    scale = w.scale;
    limit = c.limit;
    kept = met.at[MEETING_KEPT];
}

/* All is left within the loop: after one with barriers, llvmpipe (Mesa 22) has lost those that went through its inner loops
 * at their own pace. */
void main()
{
    stepped = false;
    if (ME == 0) {
        gave_up = 0;
        alive_here = uint(count == 0 || alive(c)); /* others may say that they are alone: all have to take it alike */
    }
    barrier();
    if (alive_here == 0)
        return;
    round = met.at[MEETING_ROUND];
    polls = met.at[MEETING_POLLS];
    bool goes_on = meet();
    numbers now = numbers(w.rho, w.pq, real(0), w.rho_old, w.rr, c.iteration, STATE_RUNNING);
    if (!goes_on)
        leave_alone();
    else if (count == 0 && gl_WorkGroupID.x == 0 && ME == 0)
        met.at[MEETING_ROUND] = round;
    if (count == 0 || !goes_on)
        return;
    load();
    know();
    for (uint turn = 1u; goes_on; turn++)
        goes_on = iterate(now, turn == count);
}
