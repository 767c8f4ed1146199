/* A fault in a line of the body. Faults are noted while parsing; the earliest is reported. */
#ifndef VKS_MARKET_FAULT_H
#define VKS_MARKET_FAULT_H

#include "market/header.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_MISSING,     /* the line ends before this part */
    FAULT_NOT_INTEGER, /* an index, or a value under an integer banner */
    FAULT_OUTSIDE,     /* an index */
    FAULT_NOT_NUMBER,  /* a value */
    FAULT_TOO_LARGE,   /* a value */
    FAULT_DIAGONAL,    /* a nonzero value on a skew-symmetric diagonal */
    FAULT_EXTRA,       /* words after the entry */
    FAULT_BANNER,      /* a comment that is a second banner */
    FAULT_NUL
};

enum part { PART_ROW, PART_COLUMN, PART_VALUE };

struct fault {
    enum fault_kind kind;
    enum part part;
    const char *at; /* the offending word */
    size_t line;    /* its line in the text (text_line) */
};

/* Writes the message and returns VKS_FORMAT. */
vks_status fault_report(struct message *m, const struct text *t, const struct header *h,
                        const struct fault *f);

#endif
