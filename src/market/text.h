/* A file as text in memory, ready to be scanned without bounds checks. */
#ifndef VKS_MARKET_TEXT_H
#define VKS_MARKET_TEXT_H

#include "report/message.h"
#include "team/team.h"
#include <stddef.h>

/* Lines of the file that the text leaves out, and the number of its lines before them. */
struct gap {
    size_t line, lines;
};

struct text {
    const char *name; /* the file in messages */
    char *begin;      /* every line, also the last, ends in '\n' */
    size_t size;
    size_t room; /* allocated, without the one byte kept for a missing final newline */
    struct gap *gap;
    size_t gaps, gap_room;
    size_t squeezed, kept_lines; /* bytes that text_squeeze has seen, and lines among them */
};

/* Reads and, if need be, inflates a file that begins with a Matrix Market banner; text_free it. Other files
 * are refused after their first bytes. In a file without '\n', '\r' ends lines and becomes '\n'. `path` must
 * outlive the text. On failure the text is empty. */
vks_status text_load(struct message *m, const char *path, struct text *t);

/* banner.c: refuses a text that does not begin as a Matrix Market file does, by this many bytes. */
enum { TEXT_BEGINNING = 512 };
vks_status text_check_banner(struct message *m, const struct text *t);
/* Whether the text is gzip. */
int text_is_gzip(const struct text *t);

/* text_room.c: makes room for `room` bytes. VKS_OUT_OF_MEMORY: the machine has too little. */
vks_status text_resize(struct message *m, struct text *t, size_t room);
/* Makes more room, or finds some in blank lines and comments. A text that grows large is checked first. */
vks_status text_grow(struct message *m, struct text *t);
void text_free(struct text *t);

/* squeeze.c: leaves out blank lines and comments; what is behind the last newline stays for the next time. */
vks_status text_squeeze(struct message *m, struct text *t);

/* The number in the file of a line of the text; both begin with 1. */
size_t text_line(const struct text *t, size_t kept);

/* inflate.c: inflates a text that is gzip, in place. */
vks_status text_inflate(struct message *m, struct text *t);

/* Counts an element of a loop over the text as done. The leader of the team tells whoever watches which share
 * of `count` is. (clang-tidy does not see that the builtin writes.) */
static inline void text_tell(const struct member *me, const struct message *m, const char *what,
                             uint32_t *done, uint32_t count) // NOLINT(readability-non-const-parameter)
{
    uint32_t have = __atomic_add_fetch(done, 1, __ATOMIC_RELAXED);
    if (!me->index)
        tell_share(m, what, (double)have / count);
}

#endif
