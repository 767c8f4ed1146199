/* The facts about A by which strategies are chosen. They are measured when they are first needed, and hold
 * until A has new values. They depend on the matrix, on the kind of device (a GPU or the host) and on whether
 * UMFPACK is there, so choices are the same on all GPUs. */
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
    WHEN_POSITIVE = 4,             /* the whole diagonal is above zero */
    WHEN_SMALL = 8,                /* up to SMALL_ROWS rows */
    WHEN_LARGE = 16,               /* more */
    WHEN_WEAK = 32,                /* diagonal entries are zero, or small beside their rows and columns */
    WHEN_STRONG = 64,              /* none is */
    WHEN_ZERO = 128,               /* diagonal entries are zero or missing */
    WHEN_MOSTLY_NONPOSITIVE = 256, /* next to no entry beside the diagonal is positive */
    WHEN_ON_HOST = 512,            /* the host iterates, and its times count */
    WHEN_ON_GPU = 1024,            /* those of a GPU count */
    /* Sparse factors are promised that fit in memory and, by modelled times: */
    WHEN_FACTORS_FIRST = 2048, /* take less than any other attempt; they are found before the first one */
    WHEN_FACTORS_EARLY = 4096, /* take less than the products of usual attempts */
    WHEN_FACTORS_LATE = 8192,  /* take longer, but seconds */
    WHEN_NO_EARLY_FACTORS = 16384,
    WHEN_EARLY_IS_OPEN = 32768, /* factors are early, or may be: they are not promised yet */
    WHEN_NOT_POSITIVE = 65536,
    WHEN_TRIED_BESIDE_FACTORS = 131072, /* the diagonal is not weak, or factors are not early */
    WHEN_SINGULAR = 262144,             /* factors of this solve were singular */
    WHEN_BEYOND_FACTS = 524288,         /* the first bit of strategy.h */
};

/* The largest number of rows whose elimination takes only seconds. */
enum { SMALL_ROWS = 4096 };

/* What solves by CG have shown about two preconditioners: the diagonal, and the one that was chosen by a look
 * at A. Only solves by a kept solver use it. */
struct experience {
    vks_precond_kind kind;   /* that was chosen */
    double diagonal, chosen; /* iterations that halve the residual; 0: unknown */
    bool is_blind;           /* the last look at A lacked memory */
    uint32_t alone;          /* iterations of the last solve, where the diagonal did it alone; else 0 */
    double last, saved; /* microseconds that the chosen one saves in the last solve, and in all with these
                           values */
    bool is_made;       /* it has been set up for these values */
};

struct facts {
    bool square;
    uint32_t rows, entries;
    uint32_t real_bytes; /* of a real of the iterations */
    struct symmetry symmetry;
    bool has_signs;
    struct signs signs; /* signs.positive: NaN where it is unknown */
    double share;       /* of the diagonal that natural blocks explain; 0 where it does not matter */
    bool has_look;      /* otherwise A is neither weak nor strong */
    struct scaled_look look;
    bool unmatched; /* a matching was too much work */
    struct experience experience;

    bool on_host;     /* the times of the host count, and not those of a GPU */
    bool may_factor;  /* sparse factors may be attempted */
    bool is_promised; /* what they take is known */
    struct factors_promise promise;
};

/* The facts that depend on the device and on any_device and no_direct. */
void facts_of_device(const vks_matrix *A, const vks_solve_options *o, struct facts *out);
/* Finds what the first strategies go by: the symmetry of A, and if it is not symmetric the signs of its
 * entries and its diagonal. */
vks_status facts_find(const vks_matrix *given, struct facts *out);
/* Finds these and the diagonal of any A; and its structural rank, which takes a matching, if `ranks`. */
vks_status facts_find_all(const vks_matrix *given, bool ranks, struct facts *out);
/* Finds the diagonal, if it is not known. */
vks_status facts_add_diagonal(const vks_matrix *given, struct facts *f);
/* Measures the signs of a matrix in precision p. Its CSR is held. */
vks_status facts_measure_signs(const vks_matrix *A, enum precision p, struct facts *out);

/* Whether factors are promised before the first attempt: their analysis takes next to no time, or A is not
 * symmetric with a weak diagonal. */
bool facts_may_begin_with_factors(const struct facts *f);
/* The conditions that hold; and those on factors that may hold when they are promised. */
unsigned facts_open_conditions(const struct facts *f);
unsigned facts_conditions(const struct facts *f);
/* Conditions in words: "A is symmetric, its diagonal is positive". */
void conditions_text(unsigned when, char *text, size_t size);

/* Whether a failure is one of memory, after which a solve continues without what was to be made. */
bool lacks_memory(vks_status status);
/* The same; then the message of the failure is cleared. */
bool forgive_lack_of_memory(struct message *m, vks_status status);

#endif
