/* Matrix Market files: reading and writing. files/files.h reads files of any kind.
 *
 * Supported: coordinate and array; real (also called double), integer and pattern; general, symmetric and
 * skew-symmetric. Complex and Hermitian matrices are VKS_UNSUPPORTED.
 *
 * The reader accepts harmless deviations: any case in the banner, a UTF-8 byte-order mark, any white space,
 * blank lines and comment lines anywhere (also between entries), CRLF, CR-only files, a missing final
 * newline, plus signs, Fortran D exponents, duplicates, explicit zeros, symmetric entries in either triangle.
 * It refuses ambiguous or invalid input: NaN, infinities, values beyond double precision, fractions under an
 * integer banner, hexadecimal, too many or too few words on a line, indices outside the matrix, more or fewer
 * entries than declared, a nonzero skew-symmetric diagonal, and a symmetric or skew-symmetric file that
 * stores both (i,j) and (j,i), which could mean their sum or either of them.
 *
 * Values are rounded exactly as strtod does in the "C" locale, whatever the locale of the program. A message
 * names the file and the line: "bcsstk.mtx:1043: column 11949 is outside 1..11948"; the first if several are
 * wrong. Memory is allocated for entries present in the file, never for declared ones, and not for runs of
 * blank lines and comments in a large compressed or piped text. Requests beyond the available memory
 * (report/memory.h) are VKS_OUT_OF_MEMORY, with the file and the bytes. A team of threads (team_of(m)) shares
 * reading and writing; the result does not depend on their number. */
#ifndef VKS_MARKET_MARKET_H
#define VKS_MARKET_MARKET_H

#include "entries/host_csr.h"
#include "report/message.h"
#include <stdbool.h>

enum market_field { MARKET_REAL, MARKET_INTEGER, MARKET_PATTERN };

enum market_symmetry { MARKET_GENERAL, MARKET_SYMMETRIC, MARKET_SKEW };

struct market {
    struct triplets entries; /* zero-based, in file order; mirrored off-diagonal entries of a symmetric or
                                skew-symmetric file follow in the same order; values of a pattern are 1 */
    enum market_field field;
    enum market_symmetry symmetry;
    bool is_array;
    size_t stored;    /* entries in the file, before mirroring */
    const char *kind; /* of the file: "Matrix Market", "Harwell-Boeing" ... */
    bool has_rhs;     /* the file also has right-hand sides, which are ignored */
};

/* Reads a matrix from a text of kind TEXT_MARKET into an empty *out; the caller calls market_free, also after
 * a failure. More than VKS_MAX_ROWS rows or columns, or VKS_MAX_ENTRIES entries after mirroring, are
 * VKS_LIMIT. */
struct text;
vks_status market_parse(struct message *m, const struct text *t, struct market *out);

/* Write a real matrix with 17 significant digits, so that reading gives the same bits; files are written as
 * in market/output.h. NaN and infinities, which the format cannot represent, are VKS_INVALID_ARGUMENT.
 *
 * `symmetric` writes the lower triangle of a under a symmetric banner; the caller guarantees that a is
 * symmetric. */
vks_status market_write_csr(struct message *m, const char *path, const struct host_csr *a, bool symmetric);
vks_status market_write_dense(struct message *m, const char *path, uint32_t rows, uint32_t cols,
                              const double *column_major);

/* Accepts a zeroed struct, and zeroes the struct. */
void market_free(struct market *a);

#endif
