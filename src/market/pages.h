/* Lines in pages. Several pages are printed in parallel, each into its own buffer, then written in order. */
#ifndef VKS_MARKET_PAGES_H
#define VKS_MARKET_PAGES_H

#include "market/powers.h"
#include "report/message.h"
#include <stddef.h>

/* The most bytes of an item (two indices, a value, two blanks and a newline) and of the head. */
enum { ITEM_ROOM = 48, HEAD_ROOM = 128 };

struct pages {
    const char *head; /* the lines before the items */
    size_t items;
    /* Prints the items [from, to) and returns the end of the text. */
    char *(*print)(const struct pages *p, size_t from, size_t to, char *text);
    const void *data;            /* the data that print prints */
    const struct powers *powers; /* for decimal_write */
};

/* Writes the file whole or not at all. If the path ends in .gz, each page is a member of the gzip file. */
vks_status pages_write(struct message *m, const char *path, const struct pages *p);

#endif
