/* Numbers in columns of fixed width, as in Fortran formats such as (1P,4D25.16) and (16I5). */
#ifndef VKS_FILES_FORTRAN_H
#define VKS_FILES_FORTRAN_H

#include "market/powers.h"
#include "market/text.h"

/* A number on a line. */
struct field {
    uint16_t at, width;
    uint8_t decimals; /* assumed if no point is written */
    int8_t scale;     /* a number without an exponent is too large by this power of 10: 1P */
};

enum { FORTRAN_FIELDS = 512 };

struct fortran_format {
    char letter; /* 'I', or 'E' for any format of real numbers */
    unsigned count;
    struct field field[FORTRAN_FIELDS];
};

/* Reads a format of at most `length` characters at `text`; false if it is invalid, or mixes kinds of
 * numbers. */
bool fortran_format_read(const char *text, size_t length, struct fortran_format *f);

/* Reads numbers one after the other. */
struct fortran_reader {
    struct message *m;
    const struct text *t;
    const struct powers *powers;
    size_t line;   /* the number of the line at p */
    const char *p; /* the line of the next number */
    /* For the current part: */
    const struct fortran_format *format;
    size_t left;      /* numbers */
    unsigned field;   /* the field of the next number */
    bool has_words;   /* a line had words outside their fields; decimals and scale do not apply to words */
    const char *word; /* the next word, if words are the numbers of this line; else NULL */
};

/* Begins a part of `count` numbers at the next line. */
void fortran_begin(struct fortran_reader *r, const struct fortran_format *format, size_t count);

/* Sets *p to the next line, and *line to its number; false at the end of the text. */
bool fortran_next_line(const struct text *t, const char **p, size_t *line);

/* Read a number. VKS_FORMAT: its field is empty or invalid, or the file ends. Whole numbers have 32 bits. */
vks_status fortran_whole(struct fortran_reader *r, uint64_t *value);
vks_status fortran_real(struct fortran_reader *r, double *value);

#endif
