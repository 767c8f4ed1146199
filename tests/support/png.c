#include "support/png.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint32_t word(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static unsigned char *load(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    cr_assert(f, "%s", path);
    cr_assert_eq(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = malloc(*size + 1);
    cr_assert(bytes && fread(bytes, 1, *size, f) == *size);
    fclose(f);
    return bytes;
}

/* Walks over the chunks, compacts their data to the front of the file, and returns its length. */
static size_t gather(unsigned char *file, size_t size, int *samples, struct png *p)
{
    size_t used = 0, at = 8;
    cr_assert(size > 8 && !memcmp(file, "\x89PNG\r\n\x1A\n", 8), "no PNG");
    for (bool last = false; !last;) {
        cr_assert_leq(at + 12, size, "the file ends within a chunk");
        size_t length = word(file + at);
        const unsigned char *name = file + at + 4, *data = name + 4;
        cr_assert_leq(length, size - at - 12, "a chunk ends beyond the file");
        cr_assert_eq(crc32(crc32(0, NULL, 0), name, (uInt)length + 4), word(data + length), "%.4s", name);
        last = !memcmp(name, "IEND", 4);
        if (!memcmp(name, "IHDR", 4)) {
            p->wide = word(data);
            p->high = word(data + 4);
            cr_assert(data[8] == 8 && (data[9] == 2 || data[9] == 6) && !data[12], "an unexpected kind");
            *samples = data[9] == 2 ? 3 : 4;
        } else if (!memcmp(name, "IDAT", 4)) {
            memmove(file + used, data, length);
            used += length;
        }
        at += length + 12;
    }
    cr_assert_eq(at, size, "bytes follow the picture");
    return used;
}

static int paeth(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* A row in place, given the one above (zeros above the first): PNG specification, section 9. */
static void undo_filter(int filter, unsigned char *row, const unsigned char *above, size_t length,
                        size_t samples)
{
    cr_assert_leq(filter, 4);
    for (size_t i = 0; i < length; i++) {
        int a = i < samples ? 0 : row[i - samples], b = above[i], c = i < samples ? 0 : above[i - samples];
        int add[] = {0, a, b, (a + b) / 2, paeth(a, b, c)};
        row[i] = (unsigned char)(row[i] + add[filter]);
    }
}

struct png png_read(const char *path)
{
    struct png p = {0};
    int samples = 0;
    size_t size;
    unsigned char *file = load(path, &size);
    size_t packed = gather(file, size, &samples, &p);
    cr_assert(samples && p.wide && p.high);
    size_t length = (size_t)p.wide * (size_t)samples;
    uLongf room = (uLongf)((length + 1) * p.high);
    unsigned char *rows = malloc(room), *zeros = calloc(length, 1);
    p.grey = malloc((size_t)p.wide * p.high);
    cr_assert(rows && zeros && p.grey);
    cr_assert_eq(uncompress(rows, &room, file, packed), Z_OK);
    cr_assert_eq(room, (length + 1) * p.high);
    for (uint32_t y = 0; y < p.high; y++) {
        unsigned char *row = rows + y * (length + 1);
        undo_filter(row[0], row + 1, y ? row - length : zeros, length, (size_t)samples);
        for (uint32_t x = 0; x < p.wide; x++) {
            const unsigned char *at = row + 1 + (size_t)x * (size_t)samples;
            p.grey[(size_t)y * p.wide + x] = (unsigned char)((at[0] + at[1] + at[2]) / 3);
        }
    }
    free(file);
    free(rows);
    free(zeros);
    return p;
}
