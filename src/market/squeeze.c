/* Removes blank lines and comments from a text that grows large. */
#include "market/scan.h"
#include "market/text.h"

#include <stdlib.h>
#include <string.h>

/* Least bytes of a run that is worth a gap. */
enum { WORTH_A_GAP = 2 * sizeof(struct gap) };

/* Whether the line can be dropped. A second banner and a NUL are kept, to be refused later. */
static bool is_spare(const char *line, const char *end)
{
    const char *p = line;
    while (p < end && is_blank(*p))
        p++;
    if (p == end)
        return true;
    return *p == '%' && !((size_t)(end - p) >= sizeof BANNER - 1 && begins_with(p, BANNER)) &&
           !memchr(line, 0, (size_t)(end - line));
}

/* Adds a gap of `lines` lines after the lines kept so far. */
static vks_status add_gap(struct message *m, struct text *t, size_t lines)
{
    struct gap *last = t->gaps ? &t->gap[t->gaps - 1] : NULL;
    if (last && last->line == t->kept_lines) {
        last->lines += lines;
        return VKS_OK;
    }
    if (t->gaps == t->gap_room) {
        size_t room = t->gap_room ? 2 * t->gap_room : 64;
        struct gap *gap = realloc(t->gap, room * sizeof *gap);
        if (!gap)
            return fail_memory(m, t->name, room * sizeof *gap);
        t->gap = gap;
        t->gap_room = room;
    }
    t->gap[t->gaps++] = (struct gap){t->kept_lines, lines};
    return VKS_OK;
}

/* The end of the line; fast for empty lines, as most dropped lines are. */
static char *find_newline(char *line, const char *end)
{
    return line < end && *line == '\n' ? line : memchr(line, '\n', (size_t)(end - line));
}

/* Kept text is moved in pieces: `piece` is the start of the current piece, and `to` its destination. */
struct moving {
    char *piece, *to;
};

static void move(struct moving *v, const char *end, char *next)
{
    size_t length = (size_t)(end - v->piece);
    if (v->to != v->piece)
        memmove(v->to, v->piece, length);
    v->to += length;
    v->piece = next;
}

/* Ends a run of `lines` spare lines at `next`. */
static vks_status end_run(struct message *m, struct text *t, struct moving *v, char *run, char *next,
                          size_t lines)
{
    if ((size_t)(next - run) < WORTH_A_GAP) {
        t->kept_lines += lines;
        return VKS_OK;
    }
    move(v, run, next);
    return add_gap(m, t, lines);
}

vks_status text_squeeze(struct message *m, struct text *t)
{
    char *line = t->begin + t->squeezed, *end = t->begin + t->size, *run = line, *newline;
    struct moving v = {line, line};
    size_t lines = 0; /* in the run of spare lines, which begins at `run` */
    vks_status status = VKS_OK;
    for (; !status && (newline = find_newline(line, end)); line = newline + 1) {
        if (is_spare(line, newline)) {
            lines++;
            continue;
        }
        status = end_run(m, t, &v, run, line, lines);
        t->kept_lines++;
        lines = 0;
        run = newline + 1;
    }
    IF_OK(status, end_run(m, t, &v, run, line, lines));
    move(&v, line, line);
    t->squeezed = (size_t)(v.to - t->begin);
    move(&v, end, end);
    t->size = (size_t)(v.to - t->begin);
    return status;
}

size_t text_line(const struct text *t, size_t kept)
{
    size_t line = kept;
    for (size_t k = 0; k < t->gaps && t->gap[k].line < kept; k++)
        line += t->gap[k].lines;
    return line;
}
