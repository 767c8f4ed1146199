#include "files/zip.h"
#include "files/kinds.h"
#include "report/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    END_SIZE = 22, /* of the record at the end, and of other records */
    LOCATOR_SIZE = 20,
    END64_SIZE = 56,
    ENTRY_SIZE = 46,
    LOCAL_SIZE = 30,
    LONGEST_COMMENT = 65535,
    MOST_RATIO = 1032, /* of deflate */
    STORED = 0,
    DEFLATED = 8
};

static vks_status damaged(struct message *m, const struct zip *z, const char *what)
{
    return fail(m, VKS_FORMAT, "%s: the zip archive is damaged or cut off: %s", z->name, what);
}

static uint64_t number(const struct zip *z, uint64_t at, unsigned bytes)
{
    return little_endian(z->bytes + at, bytes);
}

/* Whether `bytes` bytes exist at a place and begin with the signature: PK and two more bytes. */
static bool is_at(const struct zip *z, uint64_t at, uint64_t bytes, const char *signature)
{
    return at <= z->size && bytes <= z->size - at && !memcmp(z->bytes + at, signature, 4);
}

vks_status zip_open(struct message *m, const char *name, const void *bytes, size_t size, struct zip *z)
{
    *z = (struct zip){name, bytes, size, 0, 0};
    uint64_t at = size < END_SIZE ? 0 : size - END_SIZE,
             least = at < LONGEST_COMMENT ? 0 : at - LONGEST_COMMENT;
    while (at > least && !is_at(z, at, END_SIZE, "PK\5\6"))
        at--;
    if (!is_at(z, at, END_SIZE, "PK\5\6"))
        return damaged(m, z, "its end is missing");
    z->members = number(z, at + 10, 2);
    z->directory = number(z, at + 16, 4);
    if (at >= LOCATOR_SIZE && is_at(z, at - LOCATOR_SIZE, LOCATOR_SIZE, "PK\6\7")) {
        uint64_t end = number(z, at - LOCATOR_SIZE + 8, 8);
        if (!is_at(z, end, END64_SIZE, "PK\6\6"))
            return damaged(m, z, "its end is missing");
        z->members = number(z, end + 32, 8);
        z->directory = number(z, end + 48, 8);
    }
    return VKS_OK;
}

/* Reads sizes and places beyond 32 bits from an extra field, in the order of the header. */
static void take_zip64(const struct zip *z, uint64_t at, uint64_t bytes, uint64_t *const value[3])
{
    for (uint64_t end = at + bytes; end - at >= 4;) {
        uint64_t length = number(z, at + 2, 2);
        bool is_zip64 = number(z, at, 2) == 1;
        at += 4;
        if (length > end - at)
            return;
        for (int i = 0; i < 3 && is_zip64; i++)
            if (*value[i] == UINT32_MAX && length >= 8) {
                *value[i] = number(z, at, 8);
                at += 8;
                length -= 8;
            }
        at += length;
    }
}

vks_status zip_next(struct message *m, const struct zip *z, uint64_t *at, struct zip_member *member)
{
    uint64_t from = *at ? *at : z->directory;
    if (!is_at(z, from, ENTRY_SIZE, "PK\1\2"))
        return damaged(m, z, "its list of members");
    uint64_t name = number(z, from + 28, 2), extra = number(z, from + 30, 2),
             comment = number(z, from + 32, 2);
    uint64_t packed = number(z, from + 20, 4), size = number(z, from + 24, 4),
             local = number(z, from + 42, 4);
    if (name + extra + comment > z->size - from - ENTRY_SIZE)
        return damaged(m, z, "its list of members");
    take_zip64(z, from + ENTRY_SIZE + name, extra, (uint64_t *const[]){&size, &packed, &local});
    *at = from + ENTRY_SIZE + name + extra + comment;
    *member = (struct zip_member){.packed = packed,
                                  .size = size,
                                  .crc = (uint32_t)number(z, from + 16, 4),
                                  .method = (unsigned)number(z, from + 10, 2)};
    uint64_t shown = name < sizeof member->name ? name : sizeof member->name - 1;
    for (uint64_t i = 0; i < shown; i++) {
        unsigned char c = z->bytes[from + ENTRY_SIZE + name - shown + i];
        member->name[i] = c > ' ' && c < 127 ? (char)c : '?';
    }
    if (number(z, from + 8, 2) & 1)
        return fail(m, VKS_UNSUPPORTED, "%s: %s is encrypted", z->name, member->name);
    if (!is_at(z, local, LOCAL_SIZE, "PK\3\4"))
        return damaged(m, z, member->name);
    uint64_t data = local + LOCAL_SIZE + number(z, local + 26, 2) + number(z, local + 28, 2);
    if (data > z->size || packed > z->size - data)
        return damaged(m, z, member->name);
    member->data = z->bytes + data;
    return VKS_OK;
}

/* zlib counts in unsigned int, so larger data are passed in steps. */
static vks_status inflate_all(struct message *m, const struct zip *z, const struct zip_member *member,
                              char *to)
{
    enum { STEP = 1 << 30, RAW = -15 };
    z_stream s = {.next_in = (Bytef *)member->data, .next_out = (Bytef *)to};
    uint64_t in = member->packed, out = member->size;
    int code = inflateInit2(&s, RAW) == Z_OK ? Z_OK : Z_MEM_ERROR;
    while (code == Z_OK) {
        uInt in_step = in < STEP ? (uInt)in : STEP, out_step = out < STEP ? (uInt)out : STEP;
        s.avail_in = in_step;
        s.avail_out = out_step;
        code = inflate(&s, Z_NO_FLUSH);
        in -= in_step - s.avail_in;
        out -= out_step - s.avail_out;
        if (code == Z_OK && s.avail_in == in_step && s.avail_out == out_step)
            break;
    }
    inflateEnd(&s);
    if (code == Z_MEM_ERROR)
        return memory_lacks(m, z->name, "inflating it", 1 << 16);
    return code == Z_STREAM_END && !out ? VKS_OK : damaged(m, z, member->name);
}

static uint32_t checksum(const char *bytes, uint64_t size)
{
    return (uint32_t)crc32_z(0, (const Bytef *)bytes, (z_size_t)size);
}

vks_status zip_extract(struct message *m, const struct zip *z, const struct zip_member *member, char **bytes)
{
    if (member->method != STORED && member->method != DEFLATED)
        return fail(m, VKS_UNSUPPORTED, "%s: %s is compressed by a method that is not supported", z->name,
                    member->name);
    bool is_stored = member->method == STORED;
    if (is_stored ? member->size != member->packed : member->size / MOST_RATIO > member->packed)
        return damaged(m, z, member->name);
    TRY(memory_check(m, z->name, member->name, member->size));
    *bytes = malloc((size_t)member->size + 1);
    if (!*bytes)
        return memory_lacks(m, z->name, member->name, member->size);
    vks_status s = VKS_OK;
    if (is_stored)
        memcpy(*bytes, member->data, (size_t)member->size);
    else
        s = inflate_all(m, z, member, *bytes);
    if (!s && checksum(*bytes, member->size) != member->crc)
        s = damaged(m, z, member->name);
    if (!s)
        return VKS_OK;
    free(*bytes);
    *bytes = NULL;
    return s;
}
