/* Facts about A that decide the choice of strategies. They are measured on first use, and hold until A has
 * new values. They depend on the matrix, on the kind of device (a GPU or the host) and on whether UMFPACK is
 * available, so choices are the same on all GPUs. */
#ifndef VKS_SOLVERS_AUTO_FACTS_H
#define VKS_SOLVERS_AUTO_FACTS_H

#include "solvers/auto/signs.h"
#include "solvers/method.h"
#include "solvers/system/scaled.h"
#include "sparse/symmetry.h"

/* The conditions of strategies. */
enum {
    WHEN_SYMMETRIC = 1,
    WHEN_NOT_SYMMETRIC = 2,
    WHEN_POSITIVE = 4, /* all diagonal entries are above zero */
    WHEN_SMALL = 8,    /* up to SMALL_ROWS rows */
    WHEN_LARGE = 16,   /* more than SMALL_ROWS rows */
    WHEN_WEAK = 32,    /* some diagonal entries are zero, or small relative to their rows and columns */
    WHEN_STRONG = 64,  /* no diagonal entry is weak */
    WHEN_ZERO = 128,   /* some diagonal entries are zero or missing */
    WHEN_MOSTLY_NONPOSITIVE = 256, /* almost no off-diagonal entry is positive */
    WHEN_ON_HOST = 512,            /* the host iterates, and its times apply */
    WHEN_ON_GPU = 1024,            /* the times of GPUs apply */
    /* Promised sparse factors fit in memory and, by modelled times: */
    WHEN_FACTORS_FIRST = 2048, /* take less than any other strategy; computed before the first one */
    WHEN_FACTORS_EARLY = 4096, /* take less than the products of typical strategies */
    WHEN_FACTORS_LATE = 8192,  /* take longer, but only seconds */
    WHEN_NO_EARLY_FACTORS = 16384,
    WHEN_EARLY_IS_OPEN = 32768, /* factors are early, or may be: their cost is not promised yet */
    WHEN_NOT_POSITIVE = 65536,
    WHEN_TRIED_BESIDE_FACTORS = 131072, /* the diagonal is not weak, or factors are not early */
    WHEN_SINGULAR = 262144,             /* factors of this solve were singular */
    WHEN_BEYOND_FACTS = 524288,         /* the first bit of strategy.h */
};

/* The largest number of rows whose elimination takes only seconds. */
enum { SMALL_ROWS = 4096 };

/* Results of CG solves with two preconditioners: the diagonal, and the one chosen by inspecting A. Only a
 * kept solver uses it. */
struct experience {
    vks_precond_kind kind;   /* of the chosen one */
    double diagonal, chosen; /* iterations per halving of the residual; 0: unknown */
    bool is_blind;           /* the last inspection of A lacked memory */
    uint32_t alone;          /* iterations of the last solve, if the diagonal alone converged; else 0 */
    double last, saved; /* modelled microseconds that the chosen one would save: in the last solve; in all
                           solves with these values */
    bool is_made;       /* the chosen one has been set up for these values */
};

struct facts {
    bool square;
    uint32_t rows, entries;
    uint32_t real_bytes; /* bytes of a real of the iterations */
    struct symmetry symmetry;
    bool has_signs;
    struct signs signs; /* signs.positive: NaN if unknown */
    double share;       /* share of the diagonal that natural blocks explain; 0 if not needed */
    bool has_structure; /* `structure` is known; otherwise A is neither weak nor strong */
    struct scaled_structure structure;
    bool unmatched; /* a matching took too much work */
    struct experience experience;

    bool on_host;     /* the times of the host apply, not those of a GPU */
    bool may_factor;  /* sparse factors may be computed */
    bool is_promised; /* the cost of factors is known */
    struct factors_promise promise;
};

/* Sets the facts that depend on the device and on any_device and no_direct. */
void facts_of_device(const vks_matrix *A, const vks_solve_options *o, struct facts *out);
/* Measures the facts that select the first strategies: the symmetry of A and, if A is not symmetric, the
 * signs of its entries and its diagonal. */
vks_status facts_find(const vks_matrix *given, struct facts *out);
/* Measures the same, the diagonal of any A and, if `ranks`, its structural rank, which requires a
 * matching. */
vks_status facts_find_all(const vks_matrix *given, bool ranks, struct facts *out);
/* Measures the diagonal, if unknown. */
vks_status facts_add_diagonal(const vks_matrix *given, struct facts *f);
/* Measures the signs of a matrix in precision p. The caller holds its CSR. */
vks_status facts_measure_signs(const vks_matrix *A, enum precision p, struct facts *out);

/* Whether the cost of factors is determined before the first strategy: on the host, if the analysis takes
 * little time, if A has few entries a row, or if A is not symmetric and has a weak diagonal. */
bool facts_may_begin_with_factors(const struct facts *f);
/* Conditions on factors that may hold once their cost is promised; all conditions that hold. */
unsigned facts_open_conditions(const struct facts *f);
unsigned facts_conditions(const struct facts *f);
/* Writes conditions in words: "A is symmetric, its diagonal is positive". */
void conditions_text(unsigned when, char *text, size_t size);

/* Whether a failure is a lack of memory, after which a solve continues without the failed object. */
bool lacks_memory(vks_status status);
/* The same; also clears the message of such a failure. */
bool forgive_lack_of_memory(struct message *m, vks_status status);

#endif
