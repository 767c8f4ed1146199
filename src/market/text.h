/* A file in memory; text can be scanned without bounds checks. */
#ifndef VKS_MARKET_TEXT_H
#define VKS_MARKET_TEXT_H

#include "report/message.h"
#include "team/team.h"
#include <stddef.h>

/* Lines of the file dropped from the text, and the number of its lines before them. */
struct gap {
    size_t line, lines;
};

/* The kind of a file, by its content. */
enum text_kind {
    TEXT_UNKNOWN,
    TEXT_GZIP,
    TEXT_MARKET,
    TEXT_BOEING,  /* Harwell-Boeing or Rutherford-Boeing */
    TEXT_COLUMNS, /* of numbers */
    TEXT_NUMPY,   /* .npy; like TEXT_ZIP, binary data without lines */
    TEXT_ZIP
};

struct text {
    const char *name; /* the file in messages */
    enum text_kind kind;
    char *begin; /* every line, also the last, ends in '\n' */
    size_t size;
    size_t room; /* allocated bytes, without one byte kept for a missing final newline */
    struct gap *gap;
    size_t gaps, gap_room;
    size_t squeezed, kept_lines; /* bytes processed by text_squeeze, and lines among them */
};

/* Reads and, if needed, inflates a file of a known kind except TEXT_GZIP; release with text_free. It is
 * opened once, and may be a pipe. Other files are refused after their first bytes. In text without '\n', '\r'
 * ends lines and becomes '\n'. `path` must outlive the text. On failure the text is empty. */
vks_status text_load(struct message *m, const char *path, struct text *t);

/* kind.c: finds the kind of a text from its first TEXT_BEGINNING bytes, or refuses the text. */
enum { TEXT_BEGINNING = 512 };
vks_status text_find_kind(struct message *m, struct text *t);
/* Refuses a text of unknown kind: VKS_FORMAT. */
vks_status text_refuse_unknown(struct message *m, const struct text *t);

/* text_room.c: makes room for `room` bytes. VKS_OUT_OF_MEMORY: the machine has too little memory. */
vks_status text_resize(struct message *m, struct text *t, size_t room);
/* Makes more room, or frees some by dropping blank lines and comments of a text. First finds the kind of a
 * text that grows large. */
vks_status text_grow(struct message *m, struct text *t);
void text_free(struct text *t);

/* squeeze.c: drops blank lines and comments; bytes after the last newline are left for the next call. */
vks_status text_squeeze(struct message *m, struct text *t);

/* Converts a line number of the text to a line number of the file; both begin with 1. */
size_t text_line(const struct text *t, size_t kept);

/* inflate.c: inflates a gzip text in place. */
vks_status text_inflate(struct message *m, struct text *t);

/* Counts an element of a loop over the text as done. The team's leader reports the fraction of `count` done
 * to the progress callback. (clang-tidy does not know that the builtin writes.) */
static inline void text_report_share(const struct member *me, const struct message *m, const char *what,
                                     uint32_t *done,
                                     uint32_t count) // NOLINT(readability-non-const-parameter)
{
    uint32_t have = __atomic_add_fetch(done, 1, __ATOMIC_RELAXED);
    if (!me->index)
        report_share(m, what, (double)have / count);
}

#endif
