#include "market/output.h"

#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };

size_t gzip_room(size_t size)
{
    return size + size / 1024 + 64; /* deflate may lengthen its input, but by less than this */
}

size_t gzip_pack(const void *bytes, size_t size, void *to, size_t room)
{
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)room};
    int level = Z_DEFAULT_COMPRESSION;
    if (deflateInit2(&z, level, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    size_t packed = deflate(&z, Z_FINISH) == Z_STREAM_END ? z.total_out : 0;
    deflateEnd(&z);
    return packed;
}
