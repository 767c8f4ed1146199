/* Algebraic multigrid by smoothed aggregation: a V-cycle over levels that are made from the entries of A. */
#include "solvers/multigrid/modes.h"
#include "solvers/multigrid/multigrid.h"
#include "sparse/symmetry.h"

struct amg {
    struct multigrid g; /* first: M->own */
    struct multigrid_nodes nodes;
    bool keeps, are_outdated; /* are_outdated: new values require new levels */
    double rate; /* iterations per decimal digit in the first solve with these levels; 0: none yet */
};

/* Levels are outdated if the iterations exceed both limits, relative to those for the same digits at `rate`.
 * A solve sets the rate if it gains `least_digits`. */
static const double most_times = 1.5, most_more = 5, least_digits = 0.5;

static uint32_t unknowns(const vks_amg_options *o)
{
    return o->block ? o->block : o->dimensions ? o->dimensions : 1;
}

static bool in_blocks(const vks_amg_options *o)
{
    return o->vectors || unknowns(o) > 1;
}

static vks_status check_given(struct message *m, const char *what, const double *array, uint32_t number)
{
    if (!array == !number)
        return VKS_OK;
    return fail(m, VKS_INVALID_ARGUMENT, "amg: %s are %s, but their number is %u", what,
                array ? "given" : "NULL", number);
}

static vks_status check_arrays(struct message *m, const vks_amg_options *o)
{
    if (o->dimensions && o->vectors)
        return fail(m, VKS_INVALID_ARGUMENT, "amg: coordinates and near-null vectors exclude each other");
    if (o->dimensions && o->dimensions != 2 && o->dimensions != 3)
        return fail(m, VKS_INVALID_ARGUMENT, "amg: %u coordinates of a node; 2 or 3 are allowed",
                    o->dimensions);
    if (o->dimensions && unknowns(o) != o->dimensions)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "amg: nodes with %u unknowns and %u coordinates; the two must be equal", unknowns(o),
                    o->dimensions);
    if (o->vectors > VKS_LARGEST_NODE)
        return fail(m, VKS_INVALID_ARGUMENT, "amg: %u near-null vectors; the most is %u", o->vectors,
                    VKS_LARGEST_NODE);
    TRY(check_given(m, "coordinates", o->coordinates, o->dimensions));
    return check_given(m, "near-null vectors", o->near_null, o->vectors);
}

static vks_status check(struct message *m, const vks_matrix *A, const vks_precond_options *o)
{
    uint32_t size = unknowns(&o->amg);
    TRY(check_arrays(m, &o->amg));
    if (size > VKS_LARGEST_NODE)
        return fail(m, VKS_INVALID_ARGUMENT, "amg: nodes with %u unknowns; the most is %u", size,
                    VKS_LARGEST_NODE);
    if ((unsigned)o->amg.refresh > VKS_AMG_KEEP)
        return fail(m, VKS_INVALID_ARGUMENT, "amg: unknown refresh %d", (int)o->amg.refresh);
    if (A->csr.n % size)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "amg: nodes with %u unknowns, but A has %u rows, which is not a multiple", size,
                    A->csr.n);
    enum precision p = o->in_f32 ? PRECISION_F32 : real_precision(precision_of(A->precision));
    bool keeps = o->amg.refresh == VKS_AMG_KEEP;
    return multigrid_check_memory(A->context->device, multigrid_needs(A, p, in_blocks(&o->amg), true, keeps));
}

/* Measures whether A is symmetric. Methods for symmetric matrices, and nodes with modes, assume it. */
static vks_status measure_symmetry(struct precond *M, bool *symmetric)
{
    const struct amg *own = M->own;
    struct symmetry found = {.unequal = UINT32_MAX};
    bool asks = M->use == PRECOND_FOR_ANY && !own->nodes.modes;
    vks_status s = asks ? symmetry_measure(M->A, &found) : VKS_OK;
    *symmetric = found.unequal == UINT32_MAX;
    return s;
}

/* Makes the levels. Keeps none if the matrix is refused. */
static vks_status make(struct precond *M, bool symmetric, struct diagnosis *f)
{
    struct amg *own = M->own;
    multigrid_close(&own->g);
    vks_status s = multigrid_open(M->A, M->precision, &own->nodes, symmetric, own->keeps, f, &own->g);
    if (s || diagnosis_refuses(f))
        multigrid_close(&own->g);
    own->are_outdated = false;
    own->rate = 0;
    M->levels = own->g.count;
    M->entries = multigrid_entries(&own->g);
    M->hierarchy = &own->g.facts;
    M->bytes = multigrid_bytes(&own->g);
    M->layout++;
    return s;
}

/* Makes new levels after a failure, or if the old ones refused A or are for another kind of matrix. */
static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    struct amg *own = M->own;
    uint32_t before = multigrid_layout(&own->g);
    bool done = false, symmetric;
    TRY(measure_symmetry(M, &symmetric));
    own->are_outdated |= symmetric != own->g.symmetric && !own->nodes.modes;
    vks_status s = own->are_outdated ? VKS_OK : multigrid_refresh(&own->g, f, &done);
    own->are_outdated |= s || diagnosis_refuses(f);
    M->layout += multigrid_layout(&own->g) - before;
    if (s || (done && !own->are_outdated))
        return s;
    diagnosis_clear(f);
    return make(M, symmetric, f);
}

static void solved(const struct precond *M, uint32_t iterations, double digits)
{
    struct amg *own = M->own;
    double expected = own->rate * digits;
    if (digits <= 0) /* the solve failed */
        own->are_outdated = true;
    else if (own->rate > 0)
        own->are_outdated |= iterations > most_times * expected && iterations > expected + most_more;
    else if (digits >= least_digits)
        own->rate = iterations / digits;
}

/* Makes the near-null vectors, in the precision of the set-up. */
static vks_status take_modes(struct precond *M, const vks_amg_options *o, struct multigrid_nodes *nodes)
{
    enum precision p = real_precision(precision_of(M->A->precision));
    uint32_t n = M->A->csr.n, size = nodes->size = unknowns(o);
    struct modes modes = {0};
    vks_status s;
    if (o->vectors)
        s = modes_given(&M->room, p, o->near_null, n, size, o->vectors, &modes);
    else if (size == 1)
        return VKS_OK;
    else if (o->dimensions)
        s = modes_rigid(&M->room, p, o->coordinates, n / size, size, &modes);
    else
        s = modes_constant(&M->room, p, n / size, size, &modes);
    nodes->columns = modes.columns;
    nodes->modes = modes_reals(&modes);
    return s;
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    struct amg *own = M->own = room_host(&M->room, sizeof *own, "a multigrid hierarchy");
    vks_status s = own ? take_modes(M, &o->amg, &own->nodes) : M->room.status;
    if (own)
        own->keeps = o->amg.refresh == VKS_AMG_KEEP;
    bool symmetric = true;
    IF_OK(s, measure_symmetry(M, &symmetric));
    return s ? s : make(M, symmetric, f);
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct amg *own = M->own;
    multigrid_cycle(r, &own->g, in, out);
}

static const vks_matrix *level(const struct precond *M, uint32_t at)
{
    const struct amg *own = M->own;
    return at < own->g.count ? own->g.level[at].A : NULL;
}

static void release(struct precond *M)
{
    struct amg *own = M->own;
    if (own)
        multigrid_close(&own->g);
}

const struct precond_ops precond_amg = {.options = OPTION_BLOCK,
                                        .needs_entries = true,
                                        .rounds_itself = true,
                                        .check = check,
                                        .setup = setup,
                                        .refresh = refresh,
                                        .solved = solved,
                                        .apply = apply,
                                        .level = level,
                                        .release = release};
