/* Attempts by several methods, one after the other, each from the best x so far: VKS_METHOD_AUTO. The list is
 * fixed; facts about A tell which of its rows apply. It knows the matrix alone, so the attempts are the same
 * on every device. */
#ifndef VKS_SOLVERS_CHAIN_H
#define VKS_SOLVERS_CHAIN_H

#include "solvers/method.h"
#include "solvers/scaled.h"
#include "sparse/symmetry.h"

struct solve;

/* What a row wants of A: all of its bits. */
enum {
    WHEN_SYMMETRIC = 1,
    WHEN_NOT_SYMMETRIC = 2,
    WHEN_POSITIVE = 4, /* the whole diagonal is above zero */
    WHEN_SMALL = 8,    /* up to CHAIN_SMALL rows */
    WHEN_LARGE = 16,   /* more */
    WHEN_WEAK = 32,    /* diagonal entries are zero, or small beside their rows and columns */
    WHEN_STRONG = 64,  /* none is */
    WHEN_ZERO = 128,   /* diagonal entries are zero or missing */
    WHEN_FLOW = 256    /* next to no entry beside the diagonal is positive */
};

/* Up to so many rows elimination takes no more than seconds. */
enum { CHAIN_SMALL = 4096 };

struct chain_row {
    vks_method method;
    unsigned when;     /* WHEN_... */
    uint32_t products; /* its budget: products with A, among which an application of the preconditioner counts
                          by its entries; 0: as many as the solve has */
    vks_scaling scaling;
    uint32_t restart; /* of gmres */
    vks_precond_options precond;
};

/* What the rows go by. */
struct chain_facts {
    bool square;
    uint32_t rows;
    struct symmetry symmetry;
    double positive; /* of the entries beside the diagonal, the share that is; NaN: it is not known */
    bool has_look;   /* otherwise A is neither weak nor strong */
    struct scaled_look look;
    bool unmatched; /* a matching was too much work */
};

struct chain {
    bool is;                 /* the solve chooses its method; otherwise nothing below is used */
    vks_solve_options asked; /* by the caller */
    struct chain_facts facts;
    uint32_t first, began;                /* the first that applies; the one with which this solve began */
    uint32_t at;                          /* the row under way */
    uint32_t told;                        /* attempts of the rows before, in the report */
    vks_vector *aside;                    /* an x that was dropped, until the end; NULL: none was */
    double norm_aside;                    /* of its residual */
    char left_out[152], why_left_out[96]; /* rows, and why the last of them; "": none */
};

extern const struct chain_row chain_rows[];
extern const uint32_t chain_count;

/* The matrix that facts are of: A, or the copy in f32 of one in pairs of floats. */
static inline const vks_matrix *chain_matrix(const vks_matrix *A)
{
    return matrix_in_pairs(A) ? A->rounded : A;
}

/* The facts about such a matrix, whose CSR is held: at first, and about its diagonal, by which later rows go.
 * Without memory for the latter they stay unknown. The structural rank is found only if `ranks`. */
vks_status chain_look(const vks_matrix *A, struct chain_facts *out);
vks_status chain_look_closer(const vks_matrix *A, bool ranks, struct chain_facts *out);
/* The bits WHEN_... that hold. */
unsigned chain_traits(const struct chain_facts *f);
/* The first row from `from` on that applies; chain_count: none. */
uint32_t chain_find(const struct chain_facts *f, uint32_t from);
/* The row that follows the one under way in this solve; chain_count: none. */
uint32_t chain_following(const struct chain *c);
/* What a row wants, in words: "A is symmetric, its diagonal positive". */
void chain_tell(unsigned when, char *text, size_t size);

/* Whether options leave the method to the library, and whether they fit: no preconditioner has options then,
 * but for the precision of CG's. */
bool chain_is_wanted(const struct equation *q, const vks_solve_options *o);
vks_status chain_check(const vks_matrix *A, const vks_solve_options *o);
/* Looks at A, takes the first row that applies, and gives its options. */
vks_status chain_begin(struct chain *c, const struct equation *q, const vks_solve_options *asked,
                       vks_solve_options *options);
/* The options of the row under way, which the chain owns in part. */
vks_solve_options chain_options(const struct chain *c);

/* chain_next.c. In a set-up: the budget of the row in iterations, now that its preconditioner is there, and
 * its place in the report. */
void chain_note_setup(struct solve *s);
/* Before a solve that begins at the row that ended the last one: the report is that of the first attempt. */
void chain_rewind(struct solve *s);
/* Whether new values of A want another row than the one under way. */
vks_status chain_is_stale(struct solve *s, bool *stale);

#endif
