/* The banner and the size line of a Matrix Market file. */
#ifndef VKS_MARKET_HEADER_H
#define VKS_MARKET_HEADER_H

#include "market/market.h"
#include "market/text.h"

struct header {
    enum market_field field;
    enum market_symmetry symmetry;
    bool is_array;
    uint32_t rows, cols;
    size_t entries;   /* number of entries that the body must have */
    const char *body; /* the line after the size line */
    size_t line;      /* its number in the text (text_line) */
};

vks_status header_read(struct message *m, const struct text *t, struct header *h);

#endif
