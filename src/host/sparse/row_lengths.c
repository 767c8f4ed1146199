#include "host/sparse/slices.h"
#include "shaders/sparse/statistics.h"

__extension__ typedef __int128 wide;

/* A thread's statistics. */
struct lengths {
    uint32_t word[ROWS_SQUARES]; /* sums and maxima of one word, at their positions */
    wide squares, cubes;
    uint64_t padded;
};

static uint32_t class_of(uint32_t length)
{
    return length ? 32 - (uint32_t)__builtin_clz(length) : 0;
}

static uint32_t larger(uint32_t x, uint32_t y)
{
    return x > y ? x : y;
}

static void take_row(const struct row_lengths_args *a, uint32_t length, struct lengths *m)
{
    wide off = (wide)length - a->middle;
    m->word[ROWS_OF_CLASS + class_of(length)]++;
    m->word[ROWS_LONGEST] = larger(m->word[ROWS_LONGEST], length);
    m->word[ROWS_NOT_SHORTEST] = larger(m->word[ROWS_NOT_SHORTEST], ~length);
    if (length > LONG_ROW) {
        uint32_t pieces = length / LONG_PIECE + (length % LONG_PIECE != 0);
        m->word[ROWS_LONG]++;
        m->word[ROWS_LONG_ENTRIES] += length;
        m->word[ROWS_PIECES] += pieces;
        m->word[ROWS_SEVERAL] += pieces > 1 && pieces <= LONG_GROUP;
        m->word[ROWS_MANY] += pieces > LONG_GROUP;
    }
    m->squares += off * off;
    m->cubes += off * off * off;
}

static void take_slice(const struct row_lengths_args *a, uint32_t s, struct lengths *m)
{
    uint32_t width = 0, end = a->n - a->height * s < a->height ? a->n : a->height * (s + 1);
    for (uint32_t i = a->height * s; i < end; i++) {
        uint32_t row = row_of(a->order, i);
        take_row(a, a->row[row + (size_t)1] - a->row[row], m);
        width = larger(width, stored_length(a->row, row));
    }
    if (a->sizes)
        a->sizes[s] = a->height * width;
    m->word[SLICES_FOURS] += width / 4 + (width % 4 != 0);
    m->word[SLICES_LONGEST] = larger(m->word[SLICES_LONGEST], width);
    m->padded += (uint64_t)a->height * width;
}

static void add_words(uint32_t *to, wide v, int count)
{
    wide before = 0;
    for (int k = 0; k < count; k++)
        before |= (wide)to[k] << 32 * k;
    v += before;
    for (int k = 0; k < count; k++)
        to[k] = (uint32_t)(v >> 32 * k);
}

static void add_up(const struct lengths *m, uint32_t *words)
{
    for (uint32_t k = 0; k < ROWS_LONGEST; k++)
        words[k] += m->word[k];
    for (uint32_t k = ROWS_LONGEST; k < ROWS_SQUARES; k++)
        words[k] = larger(words[k], m->word[k]);
    add_words(words + ROWS_SQUARES, m->squares, 2);
    add_words(words + ROWS_CUBES, m->cubes, 3);
    add_words(words + SLICES_PADDED, (wide)m->padded, 2);
}

KERNEL(row_lengths)
{
    uint32_t slices = slice_count(a->n, a->height);
    struct lengths mine = {0};
    TEAM_FOR(me, s, slices, a->n >= PARALLEL_FROM ? 2 : UINT32_MAX, 1)
    take_slice(a, s, &mine);
    TEAM_ONE_AT_A_TIME(me)
    add_up(&mine, a->words);
}
